"""The masks that stand, or stood at a moment, read from the decisions that put and lifted them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from grading.models import Benchmark, Membership
from grading.splits import Split
from leaderboard.integrity.masking_record import MASKED, UNMASKED, Masks, masks_after, say_masked
from leaderboard.models import Decision, Entry, EntryResult

Json = dict[str, Any]


@dataclass(frozen=True)
class Masked:
    """A competition that is shown, but not counted, for an entry. `reason`: of the decision."""

    competition: str
    split: str
    decision: int
    reason: str


def mask_decisions() -> QuerySet[Decision]:
    """Decisions that mask or lift masks, in the order they take effect."""
    says = Q(details__has_key=MASKED) | Q(details__has_key=UNMASKED)
    return Decision.objects.filter(says).order_by("effective_at", "pk")


def masks_by_entry(
    benchmark: Benchmark, at: datetime, only: Collection[int] | None = None
) -> Mapping[int, list[Masked]]:
    """What was masked at the moment, by entry; entries without masks have none. Two queries at most.

    `only`: of these entries alone, if not of all.
    """
    of = {"entry__benchmark": benchmark} if only is None else {"entry__in": only}
    decisions = mask_decisions().filter(**of, effective_at__lte=at)
    return _describe(benchmark, decisions.only("pk", "entry_id", "details", "reason"))


def masks_of(entry: Entry) -> list[Masked]:
    """What is masked for the entry now, by competition."""
    return _describe(entry.benchmark, mask_decisions().filter(entry=entry)).get(entry.pk, [])


def standing_masks(decisions: Iterable[Decision]) -> dict[int, Masks]:
    """By entry its masks after all of these decisions."""
    said: dict[int, list[tuple[int, Json]]] = defaultdict(list)
    for decision in decisions:
        said[decision.entry_id].append((decision.pk, decision.details))
    return {entry: masks_after(each) for entry, each in said.items()}


def _describe(benchmark: Benchmark, decisions: Iterable[Decision]) -> dict[int, list[Masked]]:
    decisions = list(decisions)
    if not decisions:
        return {}
    reasons = {decision.pk: decision.reason for decision in decisions}
    members = Membership.objects.filter(benchmark=benchmark)
    splits = dict(members.order_by().values_list("competition_id", "split"))
    return {
        entry: [
            Masked(key, splits[key], number, reasons[number])
            for key, number in sorted(masks.items())
            # One that left the benchmark since counts for nobody.
            if key in splits
        ]
        for entry, masks in standing_masks(decisions).items()
        if masks
    }


def masks_on(masks: Sequence[Masked], split: Split, scope: Split, result: EntryResult | None) -> Json | None:
    """How much of a split counts, as rows and pages show it; None where all does, or not all was attempted."""
    here = [mask for mask in masks if mask.split in split.members]
    if not here or not scope.covers(split):
        return None
    counted = result.total_runs // result.seeds if result and result.total_runs and result.seeds else 0
    by = show_masks(here)
    return {
        "counted": counted,
        "total": counted + len(here),
        "text": say_masked(counted, len(here), [each["decision"] for each in by]),
        "by": by,
    }


def show_masks(masks: Iterable[Masked]) -> list[Json]:
    """The masks by decision, in the order of these."""
    by: dict[int, Json] = {}
    for each in masks:
        new = {"decision": each.decision, "reason": each.reason, "competitions": []}
        by.setdefault(each.decision, new)["competitions"].append(each.competition)
    return [by[number] for number in sorted(by)]
