"""Moving the pins of published entries to other gradings and thresholds. Only a decision does it.

All that changes is kept: each pin with where it stood, each figure with what it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from leaderboard.integrity.deciding import (
    DecisionRefused,
    deciding,
    make_decision,
    remember,
    shown_at_once,
    standing_on,
)
from leaderboard.integrity.effects import MOVED
from leaderboard.integrity.ledger import Grounds, Verdict
from leaderboard.integrity.repin_plan import Plan, Target, plan_repin
from leaderboard.models import Decision, Entry, EntryResult, PinMove, Restatement
from leaderboard.standings import refresh_standings
from submissions.models import User

PINNED = ("grading", "thresholds", "near_cutoff", "message", *MOVED)


def move_pins(
    entry: Entry,
    target: Target,
    grounds: Grounds,
    by: User,
    now: datetime,
    seen: int | None = None,
    previewed: str | None = None,
) -> Decision:
    """Moves the pins of a published entry. `previewed`: the effect of the plan that was looked at, if one was."""
    verdict = Verdict(Decision.Kind.REPIN, entry, grounds, by, now)
    with shown_at_once(verdict, seen):
        return _move(verdict, target, now, previewed)


@dataclass(frozen=True)
class Chosen:
    """An entry whose pins are to move, as it was when the maintainer looked."""

    entry: Entry
    seen: int
    previewed: str


@dataclass(frozen=True)
class Moved:
    """How it went for one entry: a decision, or why there is none."""

    entry: Entry
    decision: Decision | None
    refusal: str = ""


def move_all_pins(
    chosen: Sequence[Chosen], target: Target, grounds: Grounds, by: User, now: datetime
) -> list[Moved]:
    """One decision for each entry where it can be made, and the standings once. The others are left as they are."""
    results = []
    with transaction.atomic():
        for each in chosen:
            results.append(_try_to_move(each, target, grounds, by, now))
        for benchmark in {moved.entry.benchmark for moved in results if moved.decision}:
            refresh_standings(benchmark, now)
    return results


def _try_to_move(chosen: Chosen, target: Target, grounds: Grounds, by: User, now: datetime) -> Moved:
    verdict = Verdict(Decision.Kind.REPIN, chosen.entry, grounds, by, now)
    try:
        with deciding(verdict, chosen.seen):
            return Moved(chosen.entry, _move(verdict, target, now, chosen.previewed))
    except DecisionRefused as refused:
        return Moved(chosen.entry, None, str(refused))


def _move(verdict: Verdict, target: Target, now: datetime, previewed: str | None) -> Decision:
    entry = verdict.entry
    standing_on(entry, now)
    plan = plan_repin(entry, target)
    if not plan.moves:
        raise DecisionRefused("Every pin of this entry stands there already. Nothing is to be moved.")
    if previewed is not None and previewed != plan.effect:
        raise DecisionRefused(
            "What would move has changed since you looked: a grading ended, or thresholds were loaded. Look at "
            "the new preview before you decide."
        )
    decision = make_decision(replace(verdict, effect=plan.effect), now)
    _write(plan, decision)
    remember(entry, decision, now)
    return decision


def _write(plan: Plan, decision: Decision) -> None:
    moves = plan.to_rows()
    for move in moves:
        move.decision = decision
    for restatement in plan.restatements:
        restatement.decision = decision
    PinMove.objects.bulk_create(moves, batch_size=500)
    Restatement.objects.bulk_create(plan.restatements)
    for each in plan.moves:
        each.after.save(update_fields=PINNED)  # One statement for hundreds takes Django ten times as long.
    EntryResult.objects.filter(entry=plan.entry).delete()
    EntryResult.objects.bulk_create(plan.results)
