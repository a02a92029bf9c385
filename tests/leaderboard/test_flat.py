"""Lines that are read column by column, or object by object in the short way, say what the framework would."""

from typing import Any

import pytest
from django.db.models import QuerySet
from rest_framework import serializers

from leaderboard.api import flat
from leaderboard.api.decisions import public_decisions
from leaderboard.api.flat import read_lines
from leaderboard.api.listed import DecisionLineOut, GradingOut, SnapshotOut
from leaderboard.api.out.common import Out
from leaderboard.api.out.entries import ClaimOut, EntryOut, FiguresOut, GradedRunOut
from leaderboard.api.restatements import PinMoveOut, RestatementOut
from leaderboard.integrity.ledger import Grounds
from leaderboard.integrity.repin import move_pins
from leaderboard.integrity.repin_plan import Target, plan_repin
from leaderboard.models import Claim, EntryResult, EntryRun, PinMove, Restatement
from leaderboard.public import public_entries
from leaderboard.snapshots import known_snapshots
from tests.factories import NOW, make_maintainer
from tests.leaderboard.boards import make_placed
from tests.leaderboard.repins import make_regradable, regrade_with_new_answers

pytestmark = pytest.mark.django_db
GROUNDS = Grounds("New answers.", "Grading", "https://example.org/e")
FLAT: list[tuple[type[Out], Any]] = [
    (RestatementOut, Restatement.objects.all),
    (PinMoveOut, PinMove.objects.all),
    (GradingOut, EntryRun.objects.all),
    (EntryOut, public_entries),
    (SnapshotOut, known_snapshots),
]
PLAIN: list[tuple[type[Out], Any]] = [
    *FLAT,
    (DecisionLineOut, public_decisions),
    (GradedRunOut, EntryRun.objects.all),
    (FiguresOut, EntryResult.objects.all),
    (ClaimOut, Claim.objects.all),
]


@pytest.fixture(autouse=True)
def rows() -> None:
    """A graded entry with a missing run and moved pins, and an imported one beside it."""
    entry = make_regradable()
    make_placed(entry.benchmark, "no-private-lb", 40.0)
    regrade_with_new_answers(entry, "low-a", {"s1": 0.5, "s2": 0.95})
    effect = plan_repin(entry, Target()).effect
    seen = entry.decisions.latest("pk").pk
    move_pins(entry, Target(), GROUNDS, make_maintainer(), NOW, seen, effect)


def by_framework(out: type[Out], found: QuerySet[Any]) -> list[dict[str, Any]]:
    """Field by field, as the framework prints an object."""
    shown: Any = out()
    return [serializers.Serializer.to_representation(shown, row) for row in found]


@pytest.mark.parametrize(("out", "find"), FLAT)
def test_a_flat_line_is_that_of_the_framework(out: type[Out], find: Any) -> None:
    found = find().order_by("-pk")
    keys = [row.pk for row in found]
    assert keys
    assert read_lines(out, found, keys) == by_framework(out, found)


@pytest.mark.parametrize(("out", "find"), PLAIN)
def test_a_line_of_an_object_is_that_of_the_framework(out: type[Out], find: Any) -> None:
    found = find().order_by("-pk")
    assert found
    assert list(out(found, many=True).data) == by_framework(out, found)


def test_many_keys_are_asked_for_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flat, "AT_ONCE", 2)
    found = EntryRun.objects.order_by("pk")
    keys = [row.pk for row in found]
    assert len(keys) > 4
    assert read_lines(GradingOut, found, [*keys, 0]) == by_framework(GradingOut, found)


class Odd(Out):
    """Values that are not just there."""

    said = serializers.CharField(source="say")
    left_out = serializers.CharField(required=False)
    instead = serializers.CharField(default="none")
    deep = serializers.CharField(source="inner.deep", allow_null=True)


class Thing:
    inner = None

    def say(self) -> str:
        return "called"


@pytest.mark.parametrize("thing", [Thing(), {"say": "read", "inner": {"deep": 1}}])
def test_values_that_are_called_absent_or_defaulted(thing: Any) -> None:
    shown = Odd(thing)
    assert shown.data == serializers.Serializer.to_representation(shown, thing)
