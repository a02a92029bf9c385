"""What becomes of a finding: dismissed among maintainers, or upheld by a public decision."""

from datetime import datetime

from django.db import transaction

from leaderboard.integrity.deciding import DecisionRefused, find_conflict
from leaderboard.integrity.flags import flag_entry
from leaderboard.integrity.ledger import Grounds
from leaderboard.models import Decision, Entry, Finding
from submissions.models import User

State = Finding.State
LONGEST_NOTE = 2000


def dismiss_finding(finding: Finding, note: str, by: User, now: datetime) -> None:
    """Notes that it means nothing here. No public decision: only what is upheld is ever public."""
    entry = _entry_of(finding)
    if not by.may_maintain:
        raise DecisionRefused("Only a maintainer who has signed in with a second factor can decide.")
    if conflict := find_conflict(by, entry):
        raise DecisionRefused(conflict)
    if not 0 < len(note.strip()) <= LONGEST_NOTE:
        raise DecisionRefused(f"Say in at most {LONGEST_NOTE:,} characters why. Maintainers alone read it.")
    still_open = Finding.objects.filter(pk=finding.pk, state=State.OPEN)
    if not still_open.update(state=State.DISMISSED, note=note.strip(), answered_by=by, answered_at=now):
        raise DecisionRefused("This finding was answered already. Look at the case again.")
    finding.refresh_from_db()


def uphold_finding(
    finding: Finding, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Flags the entry because of it, by a decision. One that was dismissed can still be upheld."""
    entry = _entry_of(finding)
    with transaction.atomic():
        decision = flag_entry(entry, grounds, by, now, seen)
        looked_at = Finding.objects.filter(pk=finding.pk).exclude(state=State.UPHELD)
        if not looked_at.update(
            state=State.UPHELD, note="", answered_by=by, answered_at=now, decision=decision
        ):
            raise DecisionRefused("This finding was upheld already. Look at the case again.")
    finding.refresh_from_db()
    return decision


def _entry_of(finding: Finding) -> Entry:
    entry: Entry | None = getattr(finding.submission, "entry", None)
    if entry is None:
        raise DecisionRefused("Nothing can be decided before the review is open.")
    return entry
