"""What maintainers do to an entry. Each writes one decision, and the board shows it at once.

Every function runs in one transaction with the standings: a decision that cannot be shown is not made. `seen`:
see `deciding.py`.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any

from grading.fault_points import fault_point
from leaderboard.integrity.candour import OPEN, Candour, candour_of
from leaderboard.integrity.claims import proposal_for, recorded_claims
from leaderboard.integrity.deciding import (
    DecidedAlready,
    DecisionRefused,
    find_conflict,
    make_decision,
    remember,
    shown_at_once,
    standing_on,
)
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
    "withdraw_entry",
]
DECISION_WRITTEN = fault_point("decision_written")
PUBLISHED = fault_point("published")
Kind = Decision.Kind
Status = Submission.Status
# How a reason goes on where the checks had proposed another track.
PROPOSED = "The site's checks had proposed"


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
    if proposed == track or not grounds.reason.strip():
        return grounds
    return replace(grounds, reason=f"{grounds.reason}\n\n{PROPOSED} {proposed.title}.")


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
