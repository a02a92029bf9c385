"""How much of an entry was handed in before: the public counts against each earlier submission of its organisation."""

from dataclasses import dataclass
from datetime import date

from leaderboard.attempts import graded_submissions
from leaderboard.models import Entry, RunComparison
from leaderboard.public import public_entries


@dataclass(frozen=True)
class Earlier:
    """One earlier submission: its number on the organisation's record, and its entry if that is public."""

    number: int
    confirmed_on: date
    unchanged: int
    changed: int
    entry: Entry | None


def ledger_of(entry: Entry) -> list[Earlier]:
    """Oldest first, as counted when the review opened; empty for imported entries. Three queries."""
    submission = entry.submission
    if submission is None:
        return []
    rows = list(RunComparison.objects.filter(submission=submission).select_related("earlier"))
    if not rows:
        return []
    numbers = _numbers(submission.team.organisation_id)
    shown = {
        each.submission_id: each for each in public_entries().filter(submission__in=[r.earlier for r in rows])
    }
    return [
        Earlier(
            number=numbers[row.earlier_id],
            confirmed_on=row.earlier.confirmed_at.date(),
            unchanged=row.unchanged,
            changed=row.changed,
            entry=shown.get(row.earlier_id),
        )
        for row in rows
        if row.earlier.confirmed_at and row.earlier_id in numbers
    ]


def _numbers(organisation: int) -> dict[int, int]:
    """Of each graded submission of the organisation, from 1 in the order of confirmation."""
    graded = graded_submissions(organisation).order_by("confirmed_at", "pk").values_list("pk", flat=True)
    return {pk: number for number, pk in enumerate(graded, start=1)}
