"""A public note on an entry, by a decision that moves nothing."""

from datetime import datetime

from leaderboard.integrity.deciding import deciding, make_decision, refuse_withdrawn, remember
from leaderboard.integrity.ledger import Grounds, Verdict
from leaderboard.models import Decision, Entry
from submissions.models import User


def annotate_entry(
    entry: Entry, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """The note is the reason of the decision. Before publication it waits for the entry to be public."""
    verdict = Verdict(Decision.Kind.ANNOTATE, entry, grounds, by, now)
    with deciding(verdict, seen):
        refuse_withdrawn(entry)
        decision = make_decision(verdict, now)
        remember(entry, decision, now)
    return decision
