"""What maintainers do to an entry. Each writes one decision, and the board shows it at once.

Every function runs in one transaction with the standings: a decision that cannot be shown is not made. `seen`:
see `deciding.py`.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from grading.fault_points import fault_point
from leaderboard.integrity.candour import OPEN, Candour, candour_of
from leaderboard.integrity.claims import proposal_for, recorded_claims
from leaderboard.integrity.deciding import (
    DecidedAlready,
    DecisionRefused,
    find_conflict,
    make_decision,
    refuse_appealed,
    remember,
    shown_at_once,
    standing_on,
)
from leaderboard.integrity.flag_record import ANSWERED
from leaderboard.integrity.flags import (
    answer_flag,
    answering,
    flag_entry,
    raise_flag,
    settle_flag,
    uphold_flag,
)
from leaderboard.integrity.ledger import Grounds, Verdict
from leaderboard.integrity.masking import mask_unpublished, plan_leaks
from leaderboard.models import Decision, Entry, Flag, Track
from leaderboard.standings import current_placement
from submissions.models import Submission, User
from submissions.states import StatusConflict, move

__all__ = [
    "DecidedAlready",
    "DecisionRefused",
    "Grounds",
    "answer_flag",
    "find_conflict",
    "flag_entry",
    "move_entry",
    "publish",
    "raise_flag",
    "supersede",
    "withdraw_entry",
]
DECISION_WRITTEN = fault_point("decision_written")
PUBLISHED = fault_point("published")
Kind = Decision.Kind
Status = Submission.Status
# Decisions that are followed by another, and never corrected; and what to do instead.
FOLLOWED: Final[Mapping[str, str]] = {
    Kind.MASK: "Count the competitions again, or mask others.",
    Kind.UNMASK: "Mask the competitions again.",
    Kind.VERIFY: "Verify the claim anew; the newest ruling counts.",
    Kind.ASK: "Ask the team again.",
    Kind.GRANT: "An answer to an appeal is final.",
    Kind.DENY: "An answer to an appeal is final.",
}


def publish(
    entry: Entry, track: Track, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Puts an entry in review on a track. Of two maintainers at once, one publishes and the other is told.

    Competitions on which the agent used a known leak of labels, by its own run card, are masked in the same act.
    """
    report = _own_report(entry) if track.is_warned else None
    said = _said(entry, report) if track.is_warned else {}
    verdict = Verdict(Kind.PUBLISH, entry, _beside_proposal(entry, track, grounds), by, now, track, **said)
    with shown_at_once(verdict, seen):
        masks = plan_leaks(entry)
        decision = make_decision(replace(verdict, details={**verdict.details, **masks.details}), now)
        mask_unpublished(masks, decision)
        _move_submission(entry, Status.PUBLISHED, decision, now)
        if report:
            settle_flag(report, True, decision)
        DECISION_WRITTEN.reach()
    PUBLISHED.reach()
    return decision


def _own_report(entry: Entry) -> Flag | None:
    """The team's newest report of a leak in its own entry that nobody has answered."""
    return entry.flags.filter(state=Flag.State.OPEN, is_self_reported=True).order_by("-pk").first()


def _said(entry: Entry, report: Flag | None) -> dict[str, Any]:
    """What a decision for a warned track says of how the reason came to be known: by the team, or not disclosed."""
    if report:
        return answering(report)
    candour = candour_of(recorded_claims(entry.submission)) if entry.submission else Candour.NEITHER
    if candour is Candour.UNDISCLOSED:
        return {"details": {OPEN: True}}
    return {"is_self_reported": candour is Candour.SELF_REPORTED}


def _beside_proposal(entry: Entry, track: Track, grounds: Grounds) -> Grounds:
    """The grounds; where the checks had proposed another track, the public reason says so."""
    if entry.submission is None:
        return grounds
    proposed = Track.objects.get(slug=proposal_for(entry.submission).track)
    said = f"The site's checks had proposed {proposed.title}."
    if proposed == track or not grounds.reason.strip() or said in grounds.reason:
        return grounds
    return replace(grounds, reason=f"{grounds.reason}\n\n{said}")


def move_entry(
    entry: Entry,
    track: Track,
    grounds: Grounds,
    by: User,
    now: datetime,
    seen: int | None = None,
    flag: Flag | None = None,
) -> Decision:
    """Puts a published entry on another track. With an open flag on it, that one is upheld by the same decision."""
    verdict = Verdict(Kind.MOVE, entry, grounds, by, now, track, **answering(flag))
    with shown_at_once(verdict, seen):
        if standing_on(entry, now) == track:
            raise DecisionRefused(f"The entry stands on {track} already. Choose another track.")
        decision = make_decision(verdict, now)
        if flag:
            uphold_flag(flag, decision)
        remember(entry, decision, now)
    return decision


def withdraw_entry(
    entry: Entry, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Takes a published entry off its boards for good. Its page, runs and decisions stay."""
    verdict = Verdict(Kind.WITHDRAW, entry, grounds, by, now)
    with shown_at_once(verdict, seen):
        standing_on(entry, now)
        decision = make_decision(verdict, now)
        _move_submission(entry, Status.WITHDRAWN, decision, now)
    return decision


def supersede(
    decision: Decision,
    grounds: Grounds,
    by: User,
    now: datetime,
    track: Track | None = None,
    seen: int | None = None,
) -> Decision:
    """Corrects a decision: a new one with other grounds and, where it places the entry, maybe another track.

    The old one stays, marked. A placement that a later decision has replaced is not brought back.
    """
    entry = decision.entry
    with shown_at_once(Verdict(Kind(decision.kind), entry, grounds, by, now), seen):
        if refusal := find_uncorrectable(decision):
            raise DecisionRefused(refusal)
        refuse_appealed(decision)
        counts = places_now(decision, now)
        if track and not counts:
            raise DecisionRefused(
                "This decision is not the one that places the entry now. Move the entry instead."
            )
        kind = Kind.MOVE if track and track != decision.track else Kind(decision.kind)
        place = (track or decision.track) if counts else None
        if kind == Kind.PUBLISH and decision.track:
            grounds = _beside_proposal(entry, decision.track, grounds)
        verdict = Verdict(kind, entry, grounds, by, now, place, supersedes=decision)
        kept = {name: value for name, value in decision.details.items() if name in (*ANSWERED, OPEN)}
        new = make_decision(replace(verdict, details=kept, is_self_reported=decision.is_self_reported), now)
        Flag.objects.filter(decision=decision).update(decision=new)
        remember(entry, new, now)
    return new


def find_uncorrectable(decision: Decision) -> str:
    """Why the decision cannot be corrected by one in its place, and what to do instead; empty if it can."""
    if newer := Decision.objects.filter(supersedes=decision).first():
        return f"Decision {newer.pk} stands in its place. Correct that one."
    if decision.kind in FOLLOWED:
        return f"A decision of this kind is not corrected: {decision.get_kind_display()}. {FOLLOWED[decision.kind]}"
    return ""


def places_now(decision: Decision, now: datetime) -> bool:
    """Whether the entry stands where it does by this very decision."""
    placement = current_placement(decision.entry, now)
    return placement is not None and placement.decision_id == decision.pk


def _move_submission(entry: Entry, status: str, decision: Decision, now: datetime) -> None:
    """Moves the submission behind the entry, if it has one; only one of two callers at once can."""
    if entry.submission_id is None:
        if status == Status.PUBLISHED:
            raise DecisionRefused("An imported entry is on its board already. Move it instead.")
        return
    submission = Submission.objects.get(pk=entry.submission_id)
    try:
        move(submission, status, at=now, actor=decision.decided_by, detail={"decision": decision.pk})
    except StatusConflict as error:
        submission.refresh_from_db()
        raise DecisionRefused(
            f"The submission is {submission.get_status_display().lower()} now. Look at it again before you decide."
        ) from error
    remember(entry, decision, now)
