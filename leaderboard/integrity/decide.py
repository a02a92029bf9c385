"""What maintainers do to an entry. Each writes one decision, and the board shows it at once.

Every function runs in one transaction with the standings: a decision that cannot be shown is not made. `seen`:
see `deciding.py`.
"""

from dataclasses import replace
from datetime import datetime

from django.db import transaction

from leaderboard.integrity.claims import proposal_for
from leaderboard.integrity.deciding import (
    DecidedAlready,
    DecisionRefused,
    check_grounds,
    find_conflict,
    lock_entry,
    make_decision,
    refuse_withdrawn,
    remember,
    shown_at_once,
    standing_on,
    words_of,
)
from leaderboard.integrity.ledger import Grounds, Verdict
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
Kind = Decision.Kind
Status = Submission.Status


def publish(
    entry: Entry, track: Track, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Puts an entry in review on a track. Of two maintainers at once, one publishes and the other is told."""
    verdict = Verdict(Kind.PUBLISH, entry, _beside_proposal(entry, track, grounds), by, now, track)
    with shown_at_once(verdict, seen):
        decision = make_decision(verdict, now)
        _move_submission(entry, Status.PUBLISHED, decision, now)
    return decision


def _beside_proposal(entry: Entry, track: Track, grounds: Grounds) -> Grounds:
    """The grounds; where the checks had proposed another track, the public reason says so."""
    if entry.submission is None:
        return grounds
    proposed = Track.objects.get(slug=proposal_for(entry.submission).track)
    if proposed == track or not grounds.reason.strip():
        return grounds
    return replace(grounds, reason=f"{grounds.reason}\n\nThe site's checks had proposed {proposed.title}.")


def move_entry(
    entry: Entry, track: Track, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Puts a published entry on another track."""
    verdict = Verdict(Kind.MOVE, entry, grounds, by, now, track)
    with shown_at_once(verdict, seen):
        if standing_on(entry, now) == track:
            raise DecisionRefused(f"The entry stands on {track} already. Choose another track.")
        decision = make_decision(verdict, now)
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


def flag_entry(entry: Entry, grounds: Grounds, by: User, now: datetime, seen: int | None = None) -> Decision:
    """A maintainer's own doubt, upheld by the decision that raises it. The entry stays where it stands."""
    verdict = Verdict(Kind.FLAG, entry, grounds, by, now)
    with shown_at_once(verdict, seen):
        refuse_withdrawn(entry)
        decision = make_decision(verdict, now)
        _create_flag(entry, grounds, by, state=Flag.State.UPHELD, decision=decision)
        remember(entry, decision, now)
    return decision


def raise_flag(entry: Entry, grounds: Grounds, by: User, now: datetime) -> Flag:
    """Anybody's doubt about a published entry. It decides nothing until a maintainer answers it.

    The same one sent again is the flag that is open already.
    """
    check_grounds(grounds)
    with transaction.atomic():
        lock_entry(entry)
        standing_on(entry, now)
        known = entry.flags.filter(raised_by=by, state=Flag.State.OPEN, **words_of(grounds)).first()
        return known or _create_flag(entry, grounds, by, state=Flag.State.OPEN)


def answer_flag(
    flag: Flag, upheld: bool, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Upholds or dismisses a flag. One may be answered anew, which supersedes the answer before."""
    kind = Kind.FLAG if upheld else Kind.DISMISS
    verdict = Verdict(kind, flag.entry, grounds, by, now, supersedes=flag.decision)
    with shown_at_once(verdict, seen, flags=flag):
        refuse_withdrawn(flag.entry)
        decision = make_decision(verdict, now)
        state = Flag.State.UPHELD if upheld else Flag.State.DISMISSED
        # Only the answer this one was given in view of may be replaced.
        if not Flag.objects.filter(pk=flag.pk, decision=flag.decision).update(state=state, decision=decision):
            raise DecisionRefused("Somebody answered this flag a moment ago. Look at it again.")
        remember(flag.entry, decision, now)
    flag.refresh_from_db()
    return decision


def supersede(
    decision: Decision, grounds: Grounds, by: User, now: datetime, track: Track | None = None
) -> Decision:
    """Corrects a decision: a new one with other grounds and, where it places the entry, maybe another track.

    The old one stays, marked. A placement that a later decision has replaced is not brought back.
    """
    entry = decision.entry
    with shown_at_once(Verdict(Kind(decision.kind), entry, grounds, by, now), seen=None):
        if Decision.objects.filter(supersedes=decision).exists():
            raise DecisionRefused(f"Decision {decision.pk} was superseded already. Supersede the newer one.")
        placement = current_placement(entry, now)
        counts = placement is not None and placement.decision_id == decision.pk
        if track and not counts:
            raise DecisionRefused(
                "This decision is not the one that places the entry now. Move the entry instead."
            )
        kind = Kind.MOVE if track and track != decision.track else Kind(decision.kind)
        place = (track or decision.track) if counts else None
        new = make_decision(Verdict(kind, entry, grounds, by, now, place, supersedes=decision), now)
        Flag.objects.filter(decision=decision).update(decision=new)
        remember(entry, new, now)
    return new


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


def _create_flag(
    entry: Entry, grounds: Grounds, by: User, state: str, decision: Decision | None = None
) -> Flag:
    return Flag.objects.create(
        entry=entry,
        raised_by=by,
        state=state,
        decision=decision,
        **words_of(grounds),
    )
