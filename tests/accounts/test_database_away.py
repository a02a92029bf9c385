"""Trying to sign in while the database is away locks nobody out."""

import pytest
from allauth.account import adapter
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from tests import factories as make

pytestmark = pytest.mark.django_db
TRIES = 7  # More than may fail.


def test_tries_that_the_database_fails_are_no_wrong_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    user = make.make_user()
    words = {"login": user.email, "password": make.PASSWORD}

    def fail(*_: object, **__: object) -> None:
        raise OperationalError

    with monkeypatch.context() as away:
        away.setattr(adapter, "authenticate", fail)
        for _ in range(TRIES):
            with pytest.raises(OperationalError):
                Client().post(reverse("account_login"), words)
    assert Client().post(reverse("account_login"), words).status_code == 302
