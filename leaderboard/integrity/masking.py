"""Taking competitions out of the count of one entry, and counting them again. Only a decision does it.

Masked runs stay shown. What follows changes in the same transaction: the entry's figures, what is restated by that,
the standings.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from django.db.models import QuerySet

from leaderboard.integrity.claims import proposal_for
from leaderboard.integrity.deciding import (
    DecisionRefused,
    make_decision,
    refuse_appealed,
    remember,
    shown_at_once,
    standing_on,
)
from leaderboard.integrity.flags import answering, uphold_flag
from leaderboard.integrity.ledger import Grounds, Verdict
from leaderboard.integrity.masking_plan import MaskPlan, plan_masks
from leaderboard.integrity.masking_record import MASKED, UNMASKED
from leaderboard.models import Decision, Entry, EntryResult, EntryRun, Flag, Restatement
from submissions.models import User

Kind = Decision.Kind


def mask_competitions(
    entry: Entry,
    competitions: Collection[str],
    grounds: Grounds,
    by: User,
    now: datetime,
    seen: int | None = None,
    flag: Flag | None = None,
) -> Decision:
    """Masks competitions of a published entry; with a flag, that one is upheld by the same decision."""
    wanted, said = sorted(set(competitions)), answering(flag)
    details = {MASKED: wanted, **said.pop("details", {})}
    verdict = Verdict(Kind.MASK, entry, grounds, by, now, details=details, **said)
    with shown_at_once(verdict, seen, details=details):
        standing_on(entry, now)
        plan = _checked(plan_masks(entry, mask=wanted), wanted)
        if already := sorted(set(wanted) - set(plan.masked)):
            raise DecisionRefused(f"Masked already: {', '.join(already)}. Choose others.")
        decision = apply_plan(plan, verdict, now)
        if flag:
            uphold_flag(flag, decision)
    return decision


def lift_masks(
    entry: Entry,
    competitions: Collection[str],
    grounds: Grounds,
    by: User,
    now: datetime,
    seen: int | None = None,
) -> Decision:
    """Counts masked competitions of a published entry again."""
    wanted = sorted(set(competitions))
    details = {UNMASKED: wanted}
    verdict = Verdict(Kind.UNMASK, entry, grounds, by, now, details=details)
    with shown_at_once(verdict, seen, details=details):
        standing_on(entry, now)
        for number in {run.masked_by_id for run in _runs(entry, wanted) if run.masked_by_id}:
            refuse_appealed(Decision.objects.get(pk=number))
        plan = _checked(plan_masks(entry, unmask=wanted), wanted)
        if counted := sorted(set(wanted) - set(plan.unmasked)):
            raise DecisionRefused(f"Not masked: {', '.join(counted)}. Choose others.")
        return apply_plan(plan, verdict, now)


def apply_plan(plan: MaskPlan, verdict: Verdict, now: datetime) -> Decision:
    """The decision of any kind that does what the plan says. To be called while `deciding`."""
    details = {**verdict.details, **plan.details}
    decision = make_decision(replace(verdict, effect=plan.effect, details=details), now)
    _write(plan, decision)
    for restatement in plan.restatements:
        restatement.decision = decision
    Restatement.objects.bulk_create(plan.restatements)
    remember(plan.entry, decision, now)
    return decision


def plan_leaks(entry: Entry) -> MaskPlan:
    """Masks for the competitions on which, by its run card, the agent used a known leak of labels."""
    named = proposal_for(entry.submission).masked_competitions if entry.submission else ()
    return plan_masks(entry, mask=named)


def mask_unpublished(plan: MaskPlan, decision: Decision) -> None:
    """Masks what the decision that publishes the entry names. Nothing was published before, so nothing is restated."""
    _write(plan, decision)


def masked_by(decision: Decision) -> list[str]:
    """The competitions that the decision masked and that are masked by it still."""
    runs = EntryRun.objects.filter(masked_by=decision, entry=decision.entry_id)
    return sorted(set(runs.values_list("competition_id", flat=True)))


def _write(plan: MaskPlan, decision: Decision) -> None:
    if not plan.changes_anything:
        return
    _runs(plan.entry, plan.masked).update(masked_by=decision)
    _runs(plan.entry, plan.unmasked).update(masked_by=None)
    EntryResult.objects.filter(entry=plan.entry).delete()
    EntryResult.objects.bulk_create(plan.results)


def _runs(entry: Entry, competitions: Collection[str]) -> QuerySet[EntryRun]:
    return EntryRun.objects.filter(entry=entry, competition__in=competitions)


def _checked(plan: MaskPlan, wanted: Collection[str]) -> MaskPlan:
    if plan.entry.source == Entry.Source.IMPORTED:
        raise DecisionRefused(
            "This entry was imported: its results on single competitions are not known here, so none can be taken "
            "out of its figures. Move it or flag it instead."
        )
    if plan.unknown:
        raise DecisionRefused(f"The entry has no run on {', '.join(plan.unknown)}.")
    if not wanted:
        raise DecisionRefused("Choose at least one competition.")
    return plan
