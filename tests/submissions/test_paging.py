"""Pages of long lists: the same rows as ever, read by their keys; and the choice among many earlier submissions."""

from typing import Any

import pytest
from django import forms

from submissions.earlier_field import OFFERED, EarlierField
from submissions.models import Submission, Team
from submissions.paging import KeyedPaginator, keys_of, rows_of
from tests.factories import make_benchmark, make_submission, make_team, make_user

pytestmark = pytest.mark.django_db


class Form(forms.Form):
    earlier = EarlierField()


def make_many(count: int, team: Team) -> list[Submission]:
    """Newest first."""
    benchmark = make_benchmark()
    return [make_submission(team, benchmark) for _ in range(count)][::-1]


def test_pages_are_those_of_the_whole_list() -> None:
    made = make_many(5, make_team())
    pages = KeyedPaginator(Submission.objects.select_related("team"), 2)
    assert [list(page) for page in pages] == [made[:2], made[2:4], made[4:]]


def test_a_list_that_is_no_query_is_read_as_it_is() -> None:
    assert list(KeyedPaginator([1, 2, 3], 2).page(2)) == [3]


def test_what_is_gone_between_the_two_readings_is_left_out() -> None:
    first, second = make_many(2, make_team())
    keys = keys_of(Submission.objects.all())
    Submission.objects.filter(pk=first.pk).delete()
    assert rows_of(Submission.objects.all(), keys) == [second]


@pytest.mark.parametrize("teams", [0, 1, 2])
def test_a_list_has_all_of_ones_teams_and_nobody_elses(teams: int) -> None:
    user = make_user()
    make_many(1, make_team())
    own = [each for _ in range(teams) for each in make_many(2, make_team(members=[user]))]
    assert list(Submission.objects.listed_for(user)) == sorted(own, key=lambda each: -each.pk)


def offered(found: Any, chosen: Any = None) -> list[str]:
    form = Form()
    field: Any = form.fields["earlier"]
    field.offer(found, chosen)
    return [str(value) for value, _ in field.choices if value]


def test_the_newest_are_offered_and_older_ones_taken() -> None:
    made = make_many(OFFERED + 2, make_team())
    oldest = made[-1]
    assert offered(Submission.objects.all()) == [str(each.public_id) for each in made[:OFFERED]]
    form = Form({"earlier": str(oldest.public_id)})
    form.fields["earlier"].queryset = Submission.objects.all()  # type: ignore[attr-defined]
    assert form.is_valid()
    assert form.cleaned_data["earlier"] == oldest


def test_the_one_that_stands_in_the_form_is_offered_however_old() -> None:
    made = make_many(OFFERED + 2, make_team())
    assert offered(Submission.objects.all(), made[-1].public_id)[-1] == str(made[-1].public_id)
    assert len(offered(Submission.objects.all(), made[0].public_id)) == OFFERED


@pytest.mark.parametrize("nonsense", ["", "x", None, "0" * 400])
def test_nonsense_in_the_form_is_not_offered(nonsense: Any) -> None:
    made = make_many(1, make_team())
    assert offered(Submission.objects.all(), nonsense) == [str(made[0].public_id)]
