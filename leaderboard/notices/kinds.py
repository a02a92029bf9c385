"""What can be told, to whom, and how often it goes out unless a person says otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Often(StrEnum):
    """When a mail goes out."""

    NOW = "now"
    DAILY = "daily"
    NEVER = "never"


class Group(StrEnum):
    """Who hears of something. One person may be in several."""

    TEAM = "team"
    OWNERS = "owners"
    RAISER = "raiser"
    MAINTAINERS = "maintainers"


class Kind(StrEnum):
    """What is told; the value is the `type` that webhooks carry."""

    STATUS = "submission.status"
    PROGRESS = "submission.progress"
    QUESTION = "entry.question"
    FLAG = "entry.flag"
    DECISION = "entry.decision"
    RESTATED = "entry.restated"
    APPEAL = "entry.appeal"
    PROMISE = "entry.promise"
    FLAG_ANSWERED = "flag.answered"
    WEBHOOK_OFF = "webhook.off"
    REVIEW = "docket.review"
    DOCKET_FLAG = "docket.flag"
    DOCKET_APPEAL = "docket.appeal"
    REPLY = "docket.reply"
    FINDING = "docket.finding"
    FAILURE = "docket.failure"
    LEDGER = "docket.decision"
    PING = "ping"


@dataclass(frozen=True)
class Told:
    """How a kind is offered on the settings page. `by_webhook`: whose webhooks can carry it, if any."""

    title: str
    help: str
    usually: Often = Often.NOW
    by_webhook: Group | None = Group.TEAM

    @property
    def is_for_maintainers(self) -> bool:
        return self.by_webhook == Group.MAINTAINERS


KINDS: Mapping[Kind, Told] = {
    Kind.STATUS: Told(
        "Submission: what matters",
        "Your turn, held, rejected, in review, published, given up, withdrawn, failed on our side.",
    ),
    Kind.PROGRESS: Told(
        "Submission: every step", "Received, checking, queued, grading, graded.", Often.NEVER
    ),
    Kind.QUESTION: Told("Questions", "A maintainer asks your team; the answer has a day it is due."),
    Kind.FLAG: Told(
        "Flags", "Somebody raised a doubt about an entry of your team. Private for 14 days at most."
    ),
    Kind.DECISION: Told("Decisions", "A maintainer decided on an entry of your team."),
    Kind.RESTATED: Told("Restatements", "A decision changed published figures of an entry of your team."),
    Kind.APPEAL: Told("Appeals", "Somebody of your team appealed against a decision."),
    Kind.PROMISE: Told("Promises", "The day by which your team had promised its source has passed."),
    Kind.FLAG_ANSWERED: Told(
        "Answers to your flags", "A maintainer upheld or dismissed a flag that you raised.", by_webhook=None
    ),
    Kind.WEBHOOK_OFF: Told(
        "Webhooks", "A webhook of yours was switched off, because it no longer answered.", by_webhook=None
    ),
    Kind.REVIEW: Told(
        "Docket: waiting",
        "A submission to review, an organisation to verify, a promise that has expired.",
        by_webhook=Group.MAINTAINERS,
    ),
    Kind.DOCKET_FLAG: Told(
        "Docket: flags", "Somebody raised a flag on an entry.", by_webhook=Group.MAINTAINERS
    ),
    Kind.DOCKET_APPEAL: Told(
        "Docket: appeals", "A team appealed against a decision.", by_webhook=Group.MAINTAINERS
    ),
    Kind.REPLY: Told(
        "Docket: replies", "A team answered a question, replied to a flag, or gave the link to its source.",
        by_webhook=Group.MAINTAINERS,
    ),
    Kind.FINDING: Told(
        "Docket: findings", "Automatic signals about a submission.", Often.DAILY, Group.MAINTAINERS
    ),
    Kind.FAILURE: Told(
        "Faults of ours", "A submission could not be graded because of faults here.",
        by_webhook=Group.MAINTAINERS,
    ),
    Kind.LEDGER: Told(
        "All decisions", "Every decision of another maintainer.", Often.DAILY, Group.MAINTAINERS
    ),
}  # fmt: skip


def kinds_for(is_maintainer: bool) -> list[Kind]:
    """Those a person can hear of, in the order of the page."""
    return [kind for kind, told in KINDS.items() if is_maintainer or not told.is_for_maintainers]


def kinds_by_webhook(group: Group) -> list[Kind]:
    """Those a webhook of a team, or of the site (`MAINTAINERS`), can carry."""
    return [kind for kind, told in KINDS.items() if told.by_webhook == group]
