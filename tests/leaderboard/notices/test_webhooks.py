"""Deliveries to webhooks: signed, repeated with the same id, resting after failures, off after too many."""

import base64
import hashlib
import hmac
import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from leaderboard.models import Notice, Webhook
from leaderboard.notices import send_webhooks
from leaderboard.notices.backoff import ATTEMPTS
from leaderboard.notices.post import Answer, Delivery
from leaderboard.notices.send_webhooks import AT_ONCE, OFF_AFTER, send_due_deliveries
from leaderboard.notices.webhooks import (
    BOTH_SIGN_FOR,
    MOST,
    WebhookError,
    create_webhook,
    ping,
    rotate_secret,
    switch_off,
    switch_on,
)
from tests.factories import NOW, make_maintainer, make_team, make_user
from tests.leaderboard.notices.receiver import receiving, status
from tests.leaderboard.notices.told import make_notice, make_webhook

pytestmark = pytest.mark.django_db
State = Notice.State
TAKEN, REFUSED = Answer(200, took_ms=12), Answer(500, took_ms=34)
URL = "https://hooks.example.org/x"


class Outside:
    """Stands in for the network: keeps what is sent, and answers as planned; at the end it takes everything."""

    def __init__(self) -> None:
        self.planned: list[Answer] = []
        self.sent: list[Delivery] = []
        self.never_taken: set[str] = set()

    def post_all(self, deliveries: Sequence[Delivery], allow_loopback: bool) -> list[Answer]:
        self.sent += deliveries
        return [self._answer(each) for each in deliveries]

    def _answer(self, delivery: Delivery) -> Answer:
        if delivery.headers["webhook-id"] in self.never_taken:
            return REFUSED
        return self.planned.pop(0) if self.planned else TAKEN


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Outside:
    made = Outside()
    monkeypatch.setattr(send_webhooks, "post_all", made.post_all)
    return made


def is_signed_by(secret: str, sent: Delivery) -> bool:
    """As docs/notices.md has it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    text = f"{sent.headers['webhook-id']}.{sent.headers['webhook-timestamp']}.".encode() + sent.body
    expected = "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    return expected in sent.headers["webhook-signature"].split(" ")


def make_signed(team: Any = None) -> tuple[Webhook, str]:
    return create_webhook(make_user(), team or make_team(), URL, ["submission.status"], NOW)


def test_a_delivery_is_signed_and_ends_its_notice(outside: Outside) -> None:
    hook, secret = make_signed()
    notice = make_notice(webhook=hook, facts={"status": "rejected", "submission": "u"})
    assert send_due_deliveries(NOW) == 1
    (sent,) = outside.sent
    assert sent.url == URL
    assert json.loads(sent.body) == {
        "type": "submission.status",
        "timestamp": "2026-05-01T12:00:00Z",
        "data": {"status": "rejected", "submission": "u", "url": "http://127.0.0.1:8000/submissions/u/"},
    }
    assert sent.headers["webhook-id"] == str(notice.public_id)
    assert is_signed_by(secret, sent)
    notice.refresh_from_db()
    assert (notice.state, notice.answered, notice.took_ms, notice.attempts) == (State.SENT, 200, 12, 1)
    assert send_due_deliveries(NOW) == 0


def test_another_webhooks_secret_signs_nothing_here(outside: Outside) -> None:
    hook, _ = make_signed()
    _, other = make_signed()
    make_notice(webhook=hook)
    send_due_deliveries(NOW)
    assert not is_signed_by(other, outside.sent[0])


def test_for_a_day_both_secrets_sign(outside: Outside) -> None:
    hook, old = make_signed()
    new = rotate_secret(hook, NOW)
    assert new != old
    for moment in (NOW, NOW + BOTH_SIGN_FOR):
        make_notice(webhook=hook, next_try_at=moment)
        send_due_deliveries(moment)
    assert [(is_signed_by(old, sent), is_signed_by(new, sent)) for sent in outside.sent] == [
        (True, True),
        (False, True),
    ]


def test_a_failure_is_repeated_later_with_the_same_id_and_body(outside: Outside) -> None:
    notice = make_notice(webhook=make_signed()[0])
    outside.planned += [REFUSED, Answer(None, "no answer in time", 5000)]
    send_due_deliveries(NOW)
    notice.refresh_from_db()
    assert (notice.state, notice.answered, notice.fault) == (State.WAITING, 500, "answered 500")
    assert notice.next_try_at == NOW + timedelta(minutes=1)
    assert send_due_deliveries(NOW + timedelta(seconds=59)) == 0
    assert send_due_deliveries(NOW + timedelta(minutes=1)) == 1
    notice.refresh_from_db()
    assert (notice.answered, notice.fault) == (None, "no answer in time")
    assert send_due_deliveries(NOW + timedelta(minutes=3)) == 1
    assert len({(sent.headers["webhook-id"], sent.body) for sent in outside.sent}) == 1
    assert len({sent.headers["webhook-timestamp"] for sent in outside.sent}) == 3
    notice.refresh_from_db()
    assert (notice.state, notice.fault) == (State.SENT, "")


def test_a_webhook_that_failed_rests_and_the_others_do_not(outside: Outside) -> None:
    bad, good = make_webhook(make_team()), make_webhook(make_team())
    for _ in range(3):
        make_notice(webhook=bad)
    for _ in range(3):
        make_notice(webhook=good)
    outside.planned += [REFUSED]
    assert send_due_deliveries(NOW) == 4
    bad.refresh_from_db()
    assert (bad.failures, bad.resume_at) == (1, NOW + timedelta(minutes=1))
    assert good.notices.filter(state=State.SENT).count() == 3
    assert send_due_deliveries(NOW + timedelta(minutes=1)) == 3
    bad.refresh_from_db()
    assert (bad.failures, bad.resume_at) == (0, None)


def test_each_round_takes_one_of_each_webhook(outside: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = [make_webhook(make_team()) for _ in range(AT_ONCE + 2)]
    for hook in hooks:
        make_notice(webhook=hook)
        make_notice(webhook=hook)
    rounds: list[int] = []

    def post_all(deliveries: Sequence[Delivery], allow_loopback: bool) -> list[Answer]:
        rounds.append(len(deliveries))
        return outside.post_all(deliveries, allow_loopback)

    monkeypatch.setattr(send_webhooks, "post_all", post_all)
    assert send_due_deliveries(NOW) == 2 * len(hooks)
    assert max(rounds) == AT_ONCE


def test_after_too_many_failures_it_is_off_and_its_owners_are_told(outside: Outside) -> None:
    owner, member = make_user(), make_user()
    team = make_team(owner=owner, members=[member])
    hook = make_webhook(team)
    make_notice(webhook=hook)
    now = NOW
    outside.planned += [REFUSED] * OFF_AFTER
    for _ in range(OFF_AFTER):
        assert send_due_deliveries(now) == 1
        make_notice(webhook=hook, next_try_at=now)
        now += timedelta(hours=7)
    hook.refresh_from_db()
    assert (hook.is_on, hook.off_because) == (False, f"{OFF_AFTER} tries in a row failed")
    assert not hook.notices.filter(state=State.WAITING, created_at__lt=now, attempts__gt=0).exists()
    assert [notice.kind for notice in owner.notices.all()] == ["webhook.off"]
    assert owner.notices.get().path == f"/account/webhooks/{hook.public_id}/"
    assert not member.notices.exists()
    assert send_due_deliveries(now) == 0


def test_the_sites_own_is_told_to_maintainers(outside: Outside) -> None:
    maintainer, hook = make_maintainer(), make_webhook(None, failures=OFF_AFTER - 1)
    make_notice(webhook=hook)
    outside.planned += [REFUSED]
    send_due_deliveries(NOW)
    assert [notice.kind for notice in maintainer.notices.all()] == ["webhook.off"]


def test_one_that_is_refused_alone_is_given_up_and_the_webhook_stays_on(outside: Outside) -> None:
    hook = make_webhook(make_team())
    poison = make_notice(webhook=hook)
    outside.never_taken.add(str(poison.public_id))
    now = NOW
    for _ in range(ATTEMPTS):
        make_notice(webhook=hook, next_try_at=now)
        send_due_deliveries(now)
        send_due_deliveries(now + timedelta(minutes=2))
        now += timedelta(hours=7)
    poison.refresh_from_db()
    hook.refresh_from_db()
    assert (poison.state, poison.attempts, poison.fault) == (State.FAILED, ATTEMPTS, "answered 500")
    assert hook.is_on
    assert hook.notices.filter(state=State.SENT).count() == ATTEMPTS


def test_a_ping_goes_out_at_once_even_while_it_rests_and_is_tried_once(outside: Outside) -> None:
    hook = make_webhook(make_team(), failures=3, resume_at=NOW + timedelta(hours=1))
    make_notice(webhook=hook)
    assert ping(hook, NOW)
    assert not ping(hook, NOW), "one waits already"
    outside.planned += [REFUSED]
    assert send_due_deliveries(NOW) == 1
    tried = hook.notices.get(kind="ping")
    assert (tried.state, tried.answered) == (State.FAILED, 500)
    hook.refresh_from_db()
    assert hook.failures == 3
    assert json.loads(outside.sent[0].body)["type"] == "ping"
    assert ping(hook, NOW)
    assert send_due_deliveries(NOW) == 2, "one that is taken ends the rest, so what waited goes out too"
    hook.refresh_from_db()
    assert (hook.failures, hook.resume_at) == (0, None)


def test_switching_off_ends_what_waits_and_on_starts_anew(outside: Outside) -> None:
    hook = make_webhook(make_team(), failures=4)
    waiting = make_notice(webhook=hook)
    switch_off(hook, "switched off by hand", NOW)
    waiting.refresh_from_db()
    assert waiting.state == State.DROPPED
    hook.refresh_from_db()
    assert not ping(hook, NOW)
    switch_on(hook)
    hook.refresh_from_db()
    assert (hook.is_on, hook.failures, hook.off_because) == (True, 0, "")
    assert send_due_deliveries(NOW) == 0


def test_the_secret_is_nowhere_in_the_database() -> None:
    hook, secret = make_signed()
    kept = {field.name: str(getattr(hook, field.name)) for field in hook._meta.concrete_fields}
    assert not [name for name, value in kept.items() if secret.removeprefix("whsec_") in value]


@pytest.mark.parametrize(
    ("url", "kinds", "words"),
    [
        ("http://hooks.example.org/", ["entry.flag"], "https:// addresses only"),
        ("https://10.0.0.1/", ["entry.flag"], "private network"),
        (URL, [], "at least one"),
        (URL, ["docket.finding"], "at least one"),
        (URL, ["ping"], "at least one"),
    ],
)
def test_webhooks_that_are_not_made(url: str, kinds: list[str], words: str) -> None:
    with pytest.raises(WebhookError, match=words):
        create_webhook(make_user(), make_team(), url, kinds, NOW)
    assert not Webhook.objects.exists()


def test_there_are_only_so_many() -> None:
    team = make_team()
    for _ in range(MOST):
        make_signed(team)
    with pytest.raises(WebhookError, match="Delete one first"):
        make_signed(team)
    make_signed(make_team())


@pytest.mark.enable_socket
def test_over_the_wire(settings: Any) -> None:
    """Without stand-ins: a receiver on this machine refuses once, then takes it."""
    settings.WEBHOOK_LOOPBACK = True
    with receiving(status(503), status(204)) as receiver:
        hook, secret = create_webhook(make_user(), make_team(), receiver.url, ["submission.status"], NOW)
        notice = make_notice(webhook=hook)
        assert send_due_deliveries(NOW) == 1
        assert send_due_deliveries(NOW + timedelta(minutes=1)) == 1
    notice.refresh_from_db()
    assert (notice.state, notice.answered, notice.attempts) == (State.SENT, 204, 2)
    assert is_signed_by(secret, Delivery("", receiver.body(1), receiver.headers(1)))
    assert receiver.headers(0)["webhook-id"] == receiver.headers(1)["webhook-id"]


@pytest.mark.enable_socket
def test_this_machine_is_never_reached_without_the_setting(settings: Any) -> None:
    settings.WEBHOOK_LOOPBACK = False
    with receiving() as receiver:
        hook = make_webhook(make_team(), url=receiver.url)
        make_notice(webhook=hook)
        send_due_deliveries(NOW)
    assert receiver.requests == []
    assert hook.notices.get().fault == "Webhooks go to https:// addresses only."
