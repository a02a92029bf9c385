"""A team's report of a leak in its own entry: a flag that says so, and so will the decision that upholds it."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from leaderboard.integrity.deciding import DecisionRefused, check_grounds, lock_entry, refuse_withdrawn
from leaderboard.integrity.flags import create_flag, find_same
from leaderboard.integrity.ledger import Grounds
from leaderboard.integrity.sides import is_on_team
from leaderboard.models import Entry, Flag
from leaderboard.standings import current_placement
from submissions.models import Submission, User


def report_own_leak(
    entry: Entry, grounds: Grounds, competitions: Collection[str], by: User, now: datetime
) -> Flag:
    """The flag, marked as self-reported. `competitions`: ids of those it concerns; none: the entry as a whole."""
    check_grounds(grounds)
    if not is_on_team(by, entry):
        raise DecisionRefused("Only the entry's own team reports itself. Raise a flag instead.")
    wanted = sorted(set(competitions))
    if unknown := sorted(set(wanted) - set(competitions_of(entry))):
        raise DecisionRefused(f"Not among the competitions of this entry: {', '.join(unknown)}.")
    with transaction.atomic():
        lock_entry(entry)
        refuse_withdrawn(entry)
        _require_reportable(entry, now)
        mark = {"is_self_reported": True, "competitions": wanted}
        return find_same(entry, grounds, by, **mark) or create_flag(entry, grounds, by, now, **mark)


def competitions_of(entry: Entry) -> list[str]:
    """Ids of the competitions an entry has runs on; of an imported one, all of its benchmark."""
    if entry.submission_id is None:
        return list(entry.benchmark.memberships.order_by("competition").values_list("competition", flat=True))
    return list(entry.runs.order_by("competition").values_list("competition", flat=True).distinct())


def _require_reportable(entry: Entry, now: datetime) -> None:
    is_in_review = entry.submission is not None and entry.submission.status == Submission.Status.IN_REVIEW
    if not is_in_review and current_placement(entry, now) is None:
        raise DecisionRefused(
            "This entry is neither published nor in review, so there is nothing to report yet."
        )
