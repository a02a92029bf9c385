"""Who hears of what. Tables and small choices over them; every row of them is a row of the tests."""

from collections.abc import Mapping

from leaderboard.notices.kinds import Group, Kind

Hearings = tuple[tuple[Kind, Group], ...]
NOBODY: Hearings = ()

# Statuses a person wants to know of; machines may want the others too.
MATTER = frozenset(
    {
        *("awaiting_team", "rejected", "in_review", "published", "abandoned", "grading_failed", "withdrawn"),
        *("held", "released"),
    }
)
# What a status means to the maintainers.
FOR_MAINTAINERS: Mapping[str, Kind] = {"in_review": Kind.REVIEW, "grading_failed": Kind.FAILURE}

FLAG: Hearings = ((Kind.FLAG, Group.TEAM), (Kind.DOCKET_FLAG, Group.MAINTAINERS))
APPEAL: Hearings = ((Kind.APPEAL, Group.TEAM), (Kind.DOCKET_APPEAL, Group.MAINTAINERS))
REPLY: Hearings = ((Kind.REPLY, Group.MAINTAINERS),)
PROMISE: Hearings = ((Kind.PROMISE, Group.TEAM), (Kind.REVIEW, Group.MAINTAINERS))
# Never the team: a finding may be about what it shares with another one.
FINDING: Hearings = ((Kind.FINDING, Group.MAINTAINERS),)
LEDGER = (Kind.LEDGER, Group.MAINTAINERS)

# Told as a status of the submission already.
BY_STATUS = frozenset({"publish", "withdraw"})
ANSWERS_FLAG = frozenset({"flag", "dismiss"})


def hear_status(after: str, is_verified: bool) -> Hearings:
    """Of a submission that came to this status. `is_verified`: whether its organisation is."""
    team = (Kind.STATUS if after in MATTER else Kind.PROGRESS, Group.TEAM)
    kind = FOR_MAINTAINERS.get(after)
    if after == "queued" and not is_verified:
        kind = Kind.REVIEW
    return (team, (kind, Group.MAINTAINERS)) if kind else (team,)


def hear_decision(kind: str, is_public: bool, restates: bool) -> Hearings:
    """Of a decision. Before its entry is public the team hears of questions alone."""
    if kind == "import":
        return NOBODY
    if kind == "ask":
        return ((Kind.QUESTION, Group.TEAM), LEDGER)
    if not is_public or kind in BY_STATUS:
        return (LEDGER,)
    answered = ((Kind.FLAG_ANSWERED, Group.RAISER),) if kind in ANSWERS_FLAG else NOBODY
    return ((Kind.RESTATED if restates else Kind.DECISION, Group.TEAM), *answered, LEDGER)
