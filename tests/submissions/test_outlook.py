"""What is looked at of a bundle's CSVs: each content once, for so long; and what of it is kept and said."""

import io
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.template.loader import render_to_string

from submissions.bundle import Kind, Manifest, Member
from submissions.outlook import (
    CSVS_CHECKED,
    LOOKED_FOR_S,
    Outlook,
    left_out,
    look_through,
    outlook_of,
    record_outlook,
)
from submissions.spool import Spool
from submissions.states import record_event
from tests.factories import NOW, make_submission

COMPETITIONS = ("aerial-cactus-identification", "spaceship-titanic")
TOLD = Outlook(2, 1, ({"code": "row_count", "where": "0/a", "message": "1 row"},), 3)


class Opened:
    """In a spool's place: remembers which files were opened."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    def open(self, path: str) -> io.BytesIO:
        self.paths.append(path)
        return io.BytesIO(b"surely,not\n")


def csv(seed: int, competition: str, sha256: str) -> Member:
    path = f"{seed}/{competition}/submission.csv"
    return Member(path, Kind.SUBMISSION, str(seed), competition, None, 1, sha256, "none")


def look(members: list[Member], clock: Callable[[], float] = lambda: 0.0) -> tuple[Outlook, list[str]]:
    manifest, spool = SimpleNamespace(members=members), Opened()
    return look_through(cast(Manifest, manifest), cast(Spool, spool), clock), spool.paths


@pytest.mark.django_db
def test_an_equal_file_of_the_same_competition_is_read_once() -> None:
    outlook, opened = look([csv(seed, each, "a" * 64) for seed in range(3) for each in COMPETITIONS])
    assert opened == [f"0/{each}/submission.csv" for each in COMPETITIONS]
    assert (outlook.looked_at, outlook.unlike, outlook.passed_over) == (6, 6, 0)
    assert {each["where"] for each in outlook.problems} == {
        f"{n}/{each}" for n in range(3) for each in COMPETITIONS
    }


@pytest.mark.django_db
def test_what_the_time_does_not_reach_is_passed_over() -> None:
    ticks = count(0, LOOKED_FOR_S / 2)
    members = [csv(seed, COMPETITIONS[0], str(seed) * 64) for seed in range(5)]
    outlook, opened = look(members, lambda: next(ticks))
    assert opened == [each.path for each in members[:2]]
    assert (outlook.looked_at, outlook.unlike, outlook.passed_over) == (2, 2, 3)


@pytest.mark.django_db
def test_it_is_kept_as_it_was_and_read_where_nothing_was_kept_of_the_passed_over() -> None:
    submission, earlier = make_submission(), make_submission()
    record_outlook(submission, TOLD, NOW)
    assert outlook_of(submission) == TOLD
    record_event(earlier, CSVS_CHECKED, at=NOW, detail={"looked_at": 2, "unlike": 0, "csv_problems": []})
    assert outlook_of(earlier) == Outlook(2)


@pytest.mark.parametrize(
    ("passed_over", "said"), [(0, ""), (1, "1 more CSV was not"), (3, "3 more CSVs were not")]
)
def test_the_page_says_how_many_were_not_looked_at(passed_over: int, said: str) -> None:
    page = render_to_string("submissions/_outlook.html", {"outlook": Outlook(2, 0, (), passed_over)})
    assert said in page
    assert ("not looked at" in page) == bool(said)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("submission.csv", True),
        ("submission.csv.gz", True),
        ("submission.csv.zst", True),
        ("submission.csv.sha256", False),
        ("submission.csv.bak", False),
        ("my_submission.csv", False),
    ],
)
@pytest.mark.parametrize("folder", ["", "0/a/"])
def test_predictions_are_what_bears_a_name_of_the_layout(folder: str, name: str, expected: bool) -> None:
    ignored: list[dict[str, Any]] = [{"path": folder + name, "reason": "why"}]
    assert left_out(ignored) == (ignored if expected else [])
