"""What maintainers do to an entry. Each writes one decision, and the board shows it at once.

Every function runs in one transaction with the standings: a decision that cannot be shown is not made. `seen` is
the newest decision on the entry when the maintainer looked (0: none; None: not said). Where another was made
since, nothing is decided.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import IntegrityError, transaction

from leaderboard.integrity.claims import proposal_for
from leaderboard.integrity.ledger import Grounds, Verdict, record_decision
from leaderboard.models import Decision, Entry, Flag, Track
from leaderboard.standings import current_placement, rebuild_standings
from submissions.models import Submission, User
from submissions.people import find_tie
from submissions.states import StatusConflict, move, record_event

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
LINK = URLValidator(schemes=["https", "http"])


class DecisionRefused(Exception):
    """Shown to the maintainer: why this cannot be decided, and what to do about it. Nothing was written."""


class DecidedAlready(DecisionRefused):
    """The same decision, sent again by the same maintainer: it was made, and nothing is left to do."""


def publish(
    entry: Entry, track: Track, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Puts an entry in review on a track. Of two maintainers at once, one publishes and the other is told."""
    verdict = Verdict(Kind.PUBLISH, entry, _beside_proposal(entry, track, grounds), by, now, track)
    with _shown_at_once(verdict, seen):
        decision = _decide(verdict, now)
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
    with _shown_at_once(verdict, seen):
        if _standing_on(entry, now) == track:
            raise DecisionRefused(f"The entry stands on {track} already. Choose another track.")
        decision = _decide(verdict, now)
        _record(entry, decision, now)
    return decision


def withdraw_entry(
    entry: Entry, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Takes a published entry off its boards for good. Its page, runs and decisions stay."""
    verdict = Verdict(Kind.WITHDRAW, entry, grounds, by, now)
    with _shown_at_once(verdict, seen):
        _standing_on(entry, now)
        decision = _decide(verdict, now)
        _move_submission(entry, Status.WITHDRAWN, decision, now)
    return decision


def flag_entry(entry: Entry, grounds: Grounds, by: User, now: datetime, seen: int | None = None) -> Decision:
    """A maintainer's own doubt, upheld by the decision that raises it. The entry stays where it stands."""
    verdict = Verdict(Kind.FLAG, entry, grounds, by, now)
    with _shown_at_once(verdict, seen):
        _refuse_withdrawn(entry)
        decision = _decide(verdict, now)
        _create_flag(entry, grounds, by, state=Flag.State.UPHELD, decision=decision)
        _record(entry, decision, now)
    return decision


def raise_flag(entry: Entry, grounds: Grounds, by: User, now: datetime) -> Flag:
    """Anybody's doubt about a published entry. It decides nothing until a maintainer answers it.

    The same one sent again is the flag that is open already.
    """
    _check_grounds(grounds)
    with transaction.atomic():
        _lock(entry)
        _standing_on(entry, now)
        known = entry.flags.filter(raised_by=by, state=Flag.State.OPEN, **_words(grounds)).first()
        return known or _create_flag(entry, grounds, by, state=Flag.State.OPEN)


def answer_flag(
    flag: Flag, upheld: bool, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Upholds or dismisses a flag. One may be answered anew, which supersedes the answer before."""
    kind = Kind.FLAG if upheld else Kind.DISMISS
    verdict = Verdict(kind, flag.entry, grounds, by, now, supersedes=flag.decision)
    with _shown_at_once(verdict, seen, flags=flag):
        _refuse_withdrawn(flag.entry)
        decision = _decide(verdict, now)
        state = Flag.State.UPHELD if upheld else Flag.State.DISMISSED
        # Only the answer this one was given in view of may be replaced.
        if not Flag.objects.filter(pk=flag.pk, decision=flag.decision).update(state=state, decision=decision):
            raise DecisionRefused("Somebody answered this flag a moment ago. Look at it again.")
        _record(flag.entry, decision, now)
    flag.refresh_from_db()
    return decision


def supersede(
    decision: Decision, grounds: Grounds, by: User, now: datetime, track: Track | None = None
) -> Decision:
    """Corrects a decision: a new one with other grounds and, where it places the entry, maybe another track.

    The old one stays, marked. A placement that a later decision has replaced is not brought back.
    """
    entry = decision.entry
    with _shown_at_once(Verdict(Kind(decision.kind), entry, grounds, by, now), seen=None):
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
        new = _decide(Verdict(kind, entry, grounds, by, now, place, supersedes=decision), now)
        Flag.objects.filter(decision=decision).update(decision=new)
        _record(entry, new, now)
    return new


@contextmanager
def _shown_at_once(verdict: Verdict, seen: int | None, **alike: Any) -> Iterator[None]:
    """One transaction for the checks, what is decided in view of them, and the standings that show it.

    `alike`: what else makes a decision the same as this one.
    """
    _check(verdict)
    with transaction.atomic():
        _lock(verdict.entry)
        _check_seen(verdict, seen, alike)
        yield
        rebuild_standings(verdict.entry.benchmark, verdict.effective_at)


def _lock(entry: Entry) -> None:
    """Until the transaction ends nobody else decides on the entry. SQLite has one writer anyway."""
    Entry.objects.select_for_update().get(pk=entry.pk)


def _check(verdict: Verdict) -> None:
    _check_grounds(verdict.grounds)
    if verdict.by is None or not verdict.by.may_maintain:
        raise DecisionRefused("Only a maintainer who has signed in with a second factor can decide.")
    if conflict := find_conflict(verdict.by, verdict.entry):
        raise DecisionRefused(conflict)


def find_conflict(maintainer: User, entry: Entry) -> str:
    """Why this maintainer may not decide on the entry; empty if they may."""
    organisations = {entry.agent.organisation}
    if entry.submission is not None:
        organisations.add(entry.submission.team.organisation)
    ties = filter(None, (find_tie(maintainer, organisation) for organisation in organisations))
    tie = next(ties, "")
    return f"{tie} Another maintainer must decide on its entries." if tie else ""


def _check_seen(verdict: Verdict, seen: int | None, alike: Mapping[str, Any]) -> None:
    """Raises DecisionRefused where a decision was made since; DecidedAlready where it is this very one."""
    if seen is None:
        return
    later = verdict.entry.decisions.filter(pk__gt=seen).order_by("-pk")
    same = later.filter(
        decided_by=verdict.by, kind=verdict.kind, track=verdict.track, **_words(verdict.grounds), **alike
    )
    if done := same.first():
        raise DecidedAlready(f"This was decided already, by decision {done.pk}; nothing was changed.")
    if newest := later.first():
        raise DecisionRefused(
            f"Decision {newest.pk} was made since you opened this form. Look at the entry again."
        )


def _words(grounds: Grounds) -> dict[str, str]:
    """Grounds as decisions and flags keep them."""
    return {
        "reason": grounds.reason.strip(),
        "rule": grounds.rule.strip(),
        "evidence_url": grounds.evidence_url.strip(),
    }


def _check_grounds(grounds: Grounds) -> None:
    """Raises DecisionRefused with everything that is missing."""
    needed = {
        "a reason": bool(grounds.reason.strip()),
        "the rule it applies, in 200 characters or fewer": 0 < len(grounds.rule.strip()) <= 200,
        "a link to the evidence, starting with https://": _is_link(grounds.evidence_url.strip()),
    }
    missing = [name for name, given in needed.items() if not given]
    if missing:
        raise DecisionRefused(f"A decision is public and needs {', '.join(missing)}.")


def _is_link(text: str) -> bool:
    try:
        LINK(text)
    except ValidationError:
        return False
    return len(text) <= 500


def _decide(verdict: Verdict, now: datetime) -> Decision:
    try:
        return record_decision(verdict, now)
    except IntegrityError as error:
        raise DecisionRefused(
            "Somebody else decided at the same moment. Look again before you repeat it."
        ) from error


def _refuse_withdrawn(entry: Entry) -> None:
    if entry.decisions.filter(kind=Kind.WITHDRAW).exists():
        raise DecisionRefused("This entry was withdrawn for good; nothing more can be decided on it.")


def _standing_on(entry: Entry, now: datetime) -> Track:
    """The track the entry stands on now. Raises DecisionRefused where it stands on none."""
    _refuse_withdrawn(entry)
    placement = current_placement(entry, now)
    if placement is None:
        raise DecisionRefused("This entry is on no board yet. Publish it first.")
    return placement.track


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
    _record(entry, decision, now)


def _record(entry: Entry, decision: Decision, now: datetime) -> None:
    """The event by which the submission remembers the decision, hash and all."""
    if entry.submission is not None:
        detail = {"number": decision.pk, "hash": decision.hash, "kind": decision.kind}
        record_event(entry.submission, "decision", at=now, actor=decision.decided_by, detail=detail)


def _create_flag(
    entry: Entry, grounds: Grounds, by: User, state: str, decision: Decision | None = None
) -> Flag:
    return Flag.objects.create(
        entry=entry,
        raised_by=by,
        state=state,
        decision=decision,
        **_words(grounds),
    )
