import pytest
from django.db import connection

from leaderboard import database_check
from leaderboard.database_check import check_letters

pytestmark = pytest.mark.django_db
OF_LOCALE_C = "SELECT upper('ä' COLLATE \"C\") = 'Ä'"


def test_the_database_of_the_tests_knows_letters() -> None:
    assert check_letters(None, databases=["default"]) == []


def test_one_with_the_locale_c_is_named_with_its_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_check, "ASKED", OF_LOCALE_C)
    found = [message.id for message in check_letters(None, databases=["default"])]
    assert found == (["leaderboard.W004"] if connection.vendor == "postgresql" else [])
    assert check_letters(None) == []
