"""What the page of a decision shows: where the entry stood before and after, what it answers, and who objected."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from leaderboard.integrity.appeal_record import AGAINST
from leaderboard.integrity.appeals import EFFECTS, closes_at, may_be_appealed, track_before
from leaderboard.integrity.masking_record import MASKED, UNMASKED, UPHOLDS
from leaderboard.models import Appeal, Decision, Track
from leaderboard.public_evidence import evidence_link, evidence_note

NOWHERE = "no board"


@dataclass(frozen=True)
class Way:
    """Where the entry stood before a decision and stands after it, in the words of the tracks."""

    before: str
    after: str

    @property
    def is_moved(self) -> bool:
        return self.before != self.after


def way_of(decision: Decision) -> Way:
    """Of a decision that places nothing, both are the same; a withdrawal leads to no board."""
    before = _title(track_before(decision))
    if decision.kind == Decision.Kind.WITHDRAW:
        return Way(before, NOWHERE)
    return Way(before, _title(decision.track) if decision.track else before)


def _title(track: Track | None) -> str:
    return track.title if track else NOWHERE


def about_of(decision: Decision) -> dict[str, Any]:
    """What its details name beside the entry."""
    details = decision.details
    return {
        "masked": details.get(MASKED, []),
        "unmasked": details.get(UNMASKED, []),
        "flags": sorted({*decision.flags.values_list("pk", flat=True), *_upheld(details)}),
        "answers": details.get(AGAINST),
    }


def _upheld(details: Any) -> list[int]:
    return [details[UPHOLDS]] if UPHOLDS in details else []


def appeal_card(appeal: Appeal | None, with_private: bool = False) -> dict[str, Any] | None:
    """An appeal as `leaderboard/_appeal.html` shows it; None for none."""
    if appeal is None:
        return None
    return {
        "appeal": appeal,
        "number": appeal.pk,
        "state": appeal.state.value,
        "reason": appeal.reason,
        "evidence_url": appeal.evidence_url if with_private else evidence_link(appeal),
        "evidence_text": "" if with_private else evidence_note(appeal),
        "filed_at": appeal.filed_at,
        "due_at": appeal.due_at if appeal.answer_id is None else None,
        "answer": appeal.answer_id,
    }


def clock_of(decision: Decision, now: datetime) -> dict[str, Any] | None:
    """Until when the team may appeal, and what that could change; None once that is over or was never possible."""
    if not may_be_appealed(decision, now):
        return None
    return {"until": closes_at(decision), "effect": EFFECTS[decision.kind]}
