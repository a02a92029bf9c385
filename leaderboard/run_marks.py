"""One run of an entry as a page shows it: a mark, a score, and a sentence where something went wrong. Pure."""

from dataclasses import dataclass

from submissions.run_card.schema import SCHEMA, value_at

# The words the run card's form uses, so that team and reader see the same.
MISSING = "properties.seeds.properties.missing.items.properties.missing_reason.x-choices"
REASONS = value_at(SCHEMA, MISSING) or {}


@dataclass(frozen=True)
class RunMark:
    """`mark`: medal, above_median, none, or the outcome of a run without a score, which `code` and `note` explain.

    `masked_by`: the decision by which it is shown, but not counted.
    """

    seed: str
    mark: str
    score: float | None
    code: str = ""
    note: str = ""
    near_cutoff: bool = False
    masked_by: int | None = None


def mark_of(outcome: str, medal: str, above_median: bool) -> str:
    """The word of a run: its best medal, else above the median, else how it ended."""
    if outcome != "scored":
        return outcome
    if medal != "none":
        return medal
    return "above_median" if above_median else "none"


def missing_note(reason: str) -> str:
    """Why a run is missing; silence is named as such."""
    return str(REASONS.get(reason, reason)) if reason else "no reason given"
