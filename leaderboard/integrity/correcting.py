"""Correcting a decision: another in its place, with other grounds and maybe another track."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from leaderboard.integrity.candour import OPEN
from leaderboard.integrity.decide import PROPOSED
from leaderboard.integrity.deciding import (
    DecidedAlready,
    DecisionRefused,
    is_withdrawn,
    make_decision,
    refuse_appealed,
    remember,
    shown_at_once,
    words_of,
)
from leaderboard.integrity.flag_record import ANSWERED
from leaderboard.integrity.ledger import Grounds, Verdict
from leaderboard.models import Decision, Flag, Track
from leaderboard.standings import current_placement
from submissions.models import User

Kind = Decision.Kind
# Decisions that are followed by another, and never corrected; and what to do instead.
FOLLOWED: Final[Mapping[str, str]] = {
    Kind.MASK: "Count the competitions again, or mask others.",
    Kind.UNMASK: "Mask the competitions again.",
    Kind.VERIFY: "Verify the claim anew; the newest ruling counts.",
    Kind.ASK: "Ask the team again.",
    Kind.GRANT: "An answer to an appeal is final.",
    Kind.DENY: "An answer to an appeal is final.",
}


def supersede(
    decision: Decision,
    grounds: Grounds,
    by: User,
    now: datetime,
    track: Track | None = None,
    seen: int | None = None,
) -> Decision:
    """A new decision in the place of the old one, which stays, marked. `track`: another, if it places the entry.

    A placement that a later decision has replaced is not brought back.
    """
    grounds = _with_proposal(grounds, decision)
    _refuse_repeated(decision, grounds, by)
    verdict = _verdict(decision, grounds, by, now, track)
    with shown_at_once(verdict, seen):
        if refusal := find_uncorrectable(decision):
            raise DecisionRefused(refusal)
        refuse_appealed(decision)
        if (verdict.track is not None) != places_now(decision, now):
            raise DecisionRefused("Somebody else has placed the entry a moment ago. Look at it again.")
        new = make_decision(verdict, now)
        Flag.objects.filter(decision=decision).update(decision=new)
        remember(decision.entry, new, now)
    return new


def find_uncorrectable(decision: Decision) -> str:
    """Why the decision cannot be corrected by one in its place, and what to do instead; empty if it can."""
    if newer := Decision.objects.filter(supersedes=decision).first():
        return f"Decision {newer.pk} stands in its place. Correct that one."
    if decision.kind in FOLLOWED:
        return f"A decision of this kind is not corrected: {decision.get_kind_display()}. {FOLLOWED[decision.kind]}"
    return ""


def places_now(decision: Decision, now: datetime) -> bool:
    """Whether the entry stands where it does by this very decision; what was withdrawn stands nowhere."""
    placement = current_placement(decision.entry, now)
    return placement is not None and placement.decision_id == decision.pk and not is_withdrawn(decision.entry)


def _with_proposal(grounds: Grounds, decision: Decision) -> Grounds:
    """What the checks had proposed when the entry was published stays said, whoever words the reason anew."""
    said = next((line for line in decision.reason.splitlines() if line.startswith(PROPOSED)), "")
    if not said or said in grounds.reason or not grounds.reason.strip():
        return grounds
    return replace(grounds, reason=f"{grounds.reason}\n\n{said}")


def _refuse_repeated(decision: Decision, grounds: Grounds, by: User) -> None:
    done = Decision.objects.filter(supersedes=decision, decided_by=by, **words_of(grounds)).first()
    if done:
        raise DecidedAlready(f"This was decided already, by decision {done.pk}; nothing was changed.")


def _verdict(decision: Decision, grounds: Grounds, by: User, now: datetime, track: Track | None) -> Verdict:
    counts = places_now(decision, now)
    if track and not counts:
        raise DecisionRefused(
            "This decision is not the one that places the entry now. Move the entry instead."
        )
    moves = track is not None and track != decision.track
    place = (track or decision.track) if counts else None
    said = _kept(decision) if not moves or (track and track.is_warned) else {"details": _answered(decision)}
    kind = Kind.MOVE if moves else Kind(decision.kind)
    return Verdict(kind, decision.entry, grounds, by, now, place, supersedes=decision, **said)


def _answered(decision: Decision) -> dict[str, Any]:
    return {name: value for name, value in decision.details.items() if name in ANSWERED}


def _kept(decision: Decision) -> dict[str, Any]:
    """Who first said what the entry stands under a warning for; off the warned track nothing does."""
    opened = {OPEN: decision.details[OPEN]} if OPEN in decision.details else {}
    return {
        "details": {**_answered(decision), **opened},
        "is_self_reported": decision.is_self_reported,
    }
