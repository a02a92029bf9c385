"""Nothing of a submission, of evidence or of other teams is in any mail or webhook, before publication or after it."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from leaderboard.integrity.decide import Grounds, answer_flag, flag_entry, publish, raise_flag
from leaderboard.integrity.ledger import Verdict, record_decision
from leaderboard.models import (
    Appeal,
    Decision,
    Entry,
    EntryRun,
    Finding,
    FlagReply,
    Question,
    Restatement,
    Track,
)
from leaderboard.notices.outbox import tell_all
from leaderboard.notices.send_mail import send_due_mail
from leaderboard.notices.send_webhooks import to_delivery
from submissions.models import User
from tests import factories as make
from tests.leaderboard.boards import make_board_benchmark, make_reviewed
from tests.leaderboard.notices.told import make_webhook

pytestmark = pytest.mark.django_db
SCORES = {"s1": {"comp-low": 0.91234}, "s2": {"comp-low": 0.61803}, "s3": {"comp-low": 0.77777}}
FIGURES = (
    "0.91234",
    "91234",
    "0.61803",
    "61803",
    "0.77777",
    "77777",
    "33.33",
    "66.67",
    "100.0",
    "gold",
    "silver",
)
SECRETS = {
    "reason": "canary-reason", "rule": "canary-rule", "evidence": "canary-evidence", "sentence": "canary-sentence",
    "text": "canary-text", "name": "canary-other-team", "path": "canary/path", "agent": "canary-agent",
}  # fmt: skip
GROUNDS = Grounds(SECRETS["reason"], SECRETS["rule"], f"https://example.org/{SECRETS['evidence']}")


def everything_said() -> str:
    """All mails with their headers, all bodies of deliveries, and the facts they are made of."""
    now = timezone.now()
    deliveries = [to_delivery(hook_notice, now) for hook_notice in hook_notices()]
    for _ in range(10):
        send_due_mail(now + timedelta(days=2))
    mails = [sent.message().as_string() + sent.subject + sent.body for sent in mail.outbox]
    assert mails
    assert deliveries
    return "\n".join([*mails, *(each.body.decode() + json.dumps(dict(each.headers)) for each in deliveries)])


def hook_notices() -> list[Any]:
    from leaderboard.models import Notice

    return list(Notice.objects.filter(webhook__isnull=False).select_related("webhook"))


def live_through_everything(entry: Entry, owner: User, decider: User) -> None:
    """One of each thing that notices are made of, each with its canary."""
    now = timezone.now()
    assert entry.submission is not None
    Finding.objects.create(
        submission=entry.submission, code="c", title=SECRETS["sentence"], severity="high",
        sentence=SECRETS["sentence"], evidence={"path": SECRETS["path"], "twin": SECRETS["name"]}, raised_at=now,
    )  # fmt: skip
    ask = record_decision(
        Verdict(Decision.Kind.ASK, entry, GROUNDS, decider, now, details={"question": SECRETS["text"]}), now
    )
    tell_all(now)
    publish(entry, Track.objects.get(slug="clean"), GROUNDS, decider, now)
    Question.objects.create(
        decision=ask, entry=entry, text=SECRETS["text"], asked_at=now, due_at=now, answer=SECRETS["text"],
        answered_at=now, answered_by=owner,
    )  # fmt: skip
    flag = raise_flag(entry, GROUNDS, make.make_user(), now)
    tell_all(now)
    FlagReply.objects.create(flag=flag, author=owner, text=SECRETS["text"], written_at=now)
    answer_flag(flag, True, GROUNDS, decider, now)
    own = flag_entry(entry, GROUNDS, decider, now)
    Restatement.objects.create(decision=own, split="low", figure="any_medal_mean", before=33.33, after=66.67)
    Appeal.objects.create(
        decision=own, filed_by=owner, reason=SECRETS["reason"], evidence_url="https://e.org/x", filed_at=now
    )
    tell_all(now)


@pytest.mark.parametrize("stage", ["before", "after"])
def test_no_canary_is_ever_said(stage: str) -> None:
    owner, decider = make.make_user(), make.make_maintainer()
    make.make_maintainer()
    team = make.make_team(owner=owner)
    make_webhook(team)
    make_webhook(None)
    document = {"scaffold": {"name": SECRETS["agent"]}}
    entry = make_reviewed(make_board_benchmark(), SCORES, team=team, document=document)
    assert EntryRun.objects.filter(score=0.91234).exists(), "the canary is there to be found"
    assert Entry.objects.filter(agent__name=SECRETS["agent"]).exists()
    if stage == "before":
        tell_all(timezone.now())
    else:
        live_through_everything(entry, owner, decider)
    said = everything_said()
    assert "In review" in said
    # The address of a public entry says its agent's name.
    public = {SECRETS["agent"]} if stage == "after" else set()
    found = [canary for canary in {*FIGURES, *SECRETS.values()} - public if canary in said]
    assert found == []


def test_the_team_is_told_nothing_of_findings() -> None:
    owner = make.make_user()
    team = make.make_team(owner=owner)
    own = make_webhook(team)
    entry = make_reviewed(make_board_benchmark(), SCORES, team=team)
    assert entry.submission is not None
    Finding.objects.create(
        submission=entry.submission,
        code="c",
        title="t",
        severity="high",
        sentence="s",
        raised_at=timezone.now(),
    )
    tell_all(timezone.now())
    told = {notice.kind for notice in [*owner.notices.all(), *own.notices.all()]}
    assert told == {"submission.status"}
