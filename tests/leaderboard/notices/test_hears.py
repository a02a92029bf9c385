"""Who hears of what: the whole table, as people would read it."""

import pytest

from leaderboard.integrity.models import Decision
from leaderboard.notices.hears import APPEAL, FINDING, FLAG, PROMISE, REPLY, hear_decision, hear_status
from leaderboard.notices.kinds import KINDS, Group, Kind, Often, kinds_by_webhook, kinds_for
from leaderboard.notices.words import SENTENCES, STATUSES
from submissions.models import Submission

TEAM, RAISER, MAINTAINERS = Group.TEAM, Group.RAISER, Group.MAINTAINERS
IN_REVIEW = ((Kind.STATUS, TEAM), (Kind.REVIEW, MAINTAINERS))


@pytest.mark.parametrize(
    ("after", "is_verified", "hearings"),
    [
        ("received", True, ((Kind.PROGRESS, TEAM),)),
        ("checking", True, ((Kind.PROGRESS, TEAM),)),
        ("awaiting_team", True, ((Kind.STATUS, TEAM),)),
        ("queued", True, ((Kind.PROGRESS, TEAM),)),
        ("queued", False, ((Kind.PROGRESS, TEAM), (Kind.REVIEW, MAINTAINERS))),
        ("held", True, ((Kind.STATUS, TEAM),)),
        ("released", True, ((Kind.STATUS, TEAM),)),
        ("grading", True, ((Kind.PROGRESS, TEAM),)),
        ("graded", True, ((Kind.PROGRESS, TEAM),)),
        ("in_review", True, IN_REVIEW),
        ("in_review", False, IN_REVIEW),
        ("published", True, ((Kind.STATUS, TEAM),)),
        ("abandoned", True, ((Kind.STATUS, TEAM),)),
        ("rejected", True, ((Kind.STATUS, TEAM),)),
        ("grading_failed", True, ((Kind.STATUS, TEAM), (Kind.FAILURE, MAINTAINERS))),
        ("withdrawn", True, ((Kind.STATUS, TEAM),)),
    ],
)
def test_statuses(after: str, is_verified: bool, hearings: object) -> None:
    assert hear_status(after, is_verified) == hearings


LEDGER = (Kind.LEDGER, MAINTAINERS)
DECIDED = ((Kind.DECISION, TEAM), LEDGER)
ANSWERED = ((Kind.DECISION, TEAM), (Kind.FLAG_ANSWERED, RAISER), LEDGER)


@pytest.mark.parametrize(
    ("kind", "is_public", "restates", "hearings"),
    [
        ("import", True, False, ()),
        ("publish", True, False, (LEDGER,)),
        ("withdraw", True, False, (LEDGER,)),
        ("move", True, False, DECIDED),
        ("flag", True, False, ANSWERED),
        ("dismiss", True, False, ANSWERED),
        ("flag", True, True, ((Kind.RESTATED, TEAM), (Kind.FLAG_ANSWERED, RAISER), LEDGER)),
        ("repin", True, True, ((Kind.RESTATED, TEAM), LEDGER)),
        ("repin", True, False, DECIDED),
        ("mask", True, True, ((Kind.RESTATED, TEAM), LEDGER)),
        ("unmask", True, True, ((Kind.RESTATED, TEAM), LEDGER)),
        ("grant", True, False, DECIDED),
        ("deny", True, False, DECIDED),
        ("ask", True, False, ((Kind.QUESTION, TEAM), LEDGER)),
        ("ask", False, False, ((Kind.QUESTION, TEAM), LEDGER)),
        ("verify", True, False, DECIDED),
        ("annotate", True, False, DECIDED),
        ("verify", False, False, (LEDGER,)),
        ("annotate", False, False, (LEDGER,)),
        ("mask", False, True, (LEDGER,)),
    ],
)
def test_decisions(kind: str, is_public: bool, restates: bool, hearings: object) -> None:
    assert hear_decision(kind, is_public, restates) == hearings


def test_the_rest() -> None:
    assert FLAG == ((Kind.FLAG, TEAM), (Kind.DOCKET_FLAG, MAINTAINERS))
    assert APPEAL == ((Kind.APPEAL, TEAM), (Kind.DOCKET_APPEAL, MAINTAINERS))
    assert REPLY == ((Kind.REPLY, MAINTAINERS),)
    assert FINDING == ((Kind.FINDING, MAINTAINERS),)
    assert PROMISE == ((Kind.PROMISE, TEAM), (Kind.REVIEW, MAINTAINERS))


def test_every_kind_of_decision_is_in_the_table() -> None:
    known = {
        "import",
        "publish",
        "withdraw",
        "move",
        "flag",
        "dismiss",
        "repin",
        "mask",
        "unmask",
        "grant",
        "deny",
    }
    assert set(Decision.Kind.values) == known | {"ask", "verify", "annotate"}


def test_every_kind_and_status_has_words_and_a_setting() -> None:
    spoken = set(SENTENCES) | {Kind.STATUS, Kind.PROGRESS}
    assert spoken == set(Kind)
    assert set(KINDS) == set(Kind) - {Kind.PING}
    reached = set(Submission.Status.values) - {"uploading"}
    assert set(STATUSES) == reached | {"held", "released"}


def test_maintainers_kinds_are_offered_to_maintainers_alone() -> None:
    assert all(not kind.startswith("docket.") for kind in kinds_for(is_maintainer=False))
    assert set(kinds_for(is_maintainer=True)) == set(KINDS)
    assert not set(kinds_by_webhook(TEAM)) & set(kinds_by_webhook(MAINTAINERS))
    assert all(kind.startswith("docket.") for kind in kinds_by_webhook(MAINTAINERS))


def test_nothing_that_asks_somebody_to_act_is_silent_by_itself() -> None:
    silent = {kind for kind, told in KINDS.items() if told.usually == Often.NEVER}
    assert silent == {Kind.PROGRESS}
