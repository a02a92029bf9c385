"""What can happen to an entry, each with who must hear of it and under which kind."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from leaderboard.integrity.decide import answer_flag, raise_flag
from leaderboard.models import (
    Appeal,
    Decision,
    Finding,
    FlagReply,
    Question,
    Restatement,
    SourcePromise,
)
from submissions.models import Submission
from submissions.states import record_event
from tests.leaderboard.notices.told import (
    GROUNDS,
    Cast,
    forget_so_far,
)

TEAM = {"owner", "member"}
MAINTAINERS = {"decider", "maintainer"}
OTHER = MAINTAINERS - {"decider"}


def at_once(names: set[str], kind: str) -> dict[str, set[str]]:
    return {name: {kind} for name in names}


def decide(cast: Cast, kind: str, **details: Any) -> Decision:
    """A bare decision of a kind, as whatever writes it would leave it."""
    from leaderboard.integrity.ledger import Verdict, record_decision

    now = timezone.now()
    verdict = Verdict(Decision.Kind(kind), cast.entry, GROUNDS, cast.people["decider"], now, **details)
    return record_decision(verdict, now)


def a_status(after: str, by: str = "") -> Callable[[Cast], None]:
    def happen(cast: Cast) -> None:
        actor = cast.people[by] if by else None
        record_event(submission_of(cast), "status", at=timezone.now(), actor=actor, after=after)

    return happen


def submission_of(cast: Cast) -> Submission:
    assert cast.entry.submission is not None
    return cast.entry.submission


def a_decision(kind: str) -> Callable[[Cast], None]:
    return lambda cast: (decide(cast, kind), None)[1]


def a_flag(cast: Cast) -> Any:
    return raise_flag(cast.entry, GROUNDS, cast.people["raiser"], timezone.now())


def a_dismissal(cast: Cast) -> None:
    flag = a_flag(cast)
    forget_so_far()
    answer_flag(flag, False, GROUNDS, cast.people["decider"], timezone.now())


def a_reply(cast: Cast) -> None:
    flag = a_flag(cast)
    forget_so_far()
    FlagReply.objects.create(flag=flag, author=cast.people["owner"], text="No.", written_at=timezone.now())


def an_appeal(cast: Cast) -> None:
    decision = decide(cast, "annotate")
    forget_so_far()
    Appeal.objects.create(
        decision=decision, filed_by=cast.people["owner"], reason="Unfair.", evidence_url="https://e.org/",
        filed_at=timezone.now(),
    )  # fmt: skip


def an_answer(cast: Cast) -> None:
    decision = decide(cast, "ask")
    forget_so_far()
    now = timezone.now()
    Question.objects.create(
        decision=decision, entry=cast.entry, text="Why?", asked_at=now, due_at=now,
        answer="So.", answered_at=now, answered_by=cast.people["member"],
    )  # fmt: skip


def a_finding(cast: Cast) -> None:
    now = timezone.now()
    for code in ("one", "two"):
        Finding.objects.create(
            submission=submission_of(cast),
            code=code,
            title="T",
            severity="high",
            sentence="S.",
            raised_at=now,
        )


def an_expired_promise(cast: Cast) -> None:
    now = timezone.now()
    SourcePromise.objects.create(submission=submission_of(cast), due_on=now.date(), expired_at=now)


def a_shown_source(cast: Cast) -> None:
    record_event(submission_of(cast), "source_shown", at=timezone.now(), actor=cast.people["owner"])


def a_restatement(cast: Cast) -> None:
    decision = decide(cast, "repin")
    Restatement.objects.create(decision=decision, split="low", figure="any_medal_mean", before=1.0, after=2.0)


BOTH = {**at_once(TEAM, "entry.decision"), **at_once(OTHER, "docket.decision")}
IN_REVIEW: dict[str, tuple[Callable[[Cast], None], dict[str, set[str]]]] = {
    "rejected": (a_status("rejected"), at_once(TEAM, "submission.status")),
    "in review": (
        a_status("in_review"),
        {**at_once(TEAM, "submission.status"), **at_once(MAINTAINERS, "docket.review")},
    ),
    "failed here": (
        a_status("grading_failed"),
        {**at_once(TEAM, "submission.status"), **at_once(MAINTAINERS, "docket.failure")},
    ),
    "withdrawn by the owner": (a_status("withdrawn", by="owner"), at_once({"member"}, "submission.status")),
    "a step on the way": (a_status("checking"), {}),
    "asked": (
        a_decision("ask"),
        {**at_once(TEAM, "entry.question"), **at_once(OTHER, "docket.decision")},
    ),
    "verified, not public yet": (a_decision("verify"), at_once(OTHER, "docket.decision")),
    "annotated, not public yet": (a_decision("annotate"), at_once(OTHER, "docket.decision")),
    "answered": (an_answer, at_once(MAINTAINERS, "docket.reply")),
    "found": (a_finding, at_once(MAINTAINERS, "docket.finding")),
    "promise expired": (
        an_expired_promise,
        {**at_once(TEAM, "entry.promise"), **at_once(MAINTAINERS, "docket.review")},
    ),
    "source shown": (a_shown_source, at_once(MAINTAINERS, "docket.reply")),
}
PUBLISHED: dict[str, tuple[Callable[[Cast], None], dict[str, set[str]]]] = {
    "flagged": (a_flag, {**at_once(TEAM, "entry.flag"), **at_once(MAINTAINERS, "docket.flag")}),
    "flag dismissed": (a_dismissal, {**BOTH, "raiser": {"flag.answered"}}),
    "flag replied to": (a_reply, at_once(MAINTAINERS, "docket.reply")),
    "appealed": (
        an_appeal,
        {**at_once({"member"}, "entry.appeal"), **at_once(MAINTAINERS, "docket.appeal")},
    ),
    "annotated": (a_decision("annotate"), BOTH),
    "masked": (a_decision("mask"), BOTH),
    "granted": (a_decision("grant"), BOTH),
    "restated": (
        a_restatement,
        {**at_once(TEAM, "entry.restated"), **at_once(OTHER, "docket.decision")},
    ),
}
