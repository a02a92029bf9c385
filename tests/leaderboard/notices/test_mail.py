"""Sending mail: what goes out, to whom, how often it is tried, and what is kept of a failure."""

import logging
import smtplib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from leaderboard.models import Notice
from leaderboard.notices.backoff import ATTEMPTS
from leaderboard.notices.kinds import Kind, Often
from leaderboard.notices.preferences import choose
from leaderboard.notices.send_mail import MAILS_AT_ONCE, send_due_mail
from leaderboard.notices.trying import LEASE, claim, delete_old, give_up_lost
from tests.factories import NOW, make_maintainer, make_team, make_user
from tests.leaderboard.notices.told import make_notice

pytestmark = pytest.mark.django_db
State = Notice.State
Fault = Callable[[EmailMessage], Exception]


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> list[Exception | None]:
    """What the mail server does with each mail, in order: None takes it. At the end it takes everything."""
    planned: list[Exception | None] = []
    honest = EmailBackend.send_messages

    def send(self: EmailBackend, messages: Sequence[EmailMessage]) -> int:
        fault = planned.pop(0) if planned else None
        if fault:
            raise fault
        return honest(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", send)
    return planned


def test_a_mail_has_its_headers_and_ends_its_notice() -> None:
    user = make_user(email="ada@example.org")
    notice = make_notice(user)
    assert send_due_mail(NOW) == 1
    (sent,) = mail.outbox
    assert sent.to == ["ada@example.org"]
    assert sent.subject == "[MLE-bench leaderboard] Published"
    headers = sent.message()
    assert headers["Message-ID"] == f"<{notice.public_id}@127.0.0.1>"
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert headers["List-Unsubscribe"].startswith("<http://127.0.0.1:8000/notices/unsubscribe/")
    assert headers["Auto-Submitted"] == "auto-generated"
    assert headers.get_content_type() == "text/plain"
    assert "http://127.0.0.1:8000/submissions/u/" in sent.body
    notice.refresh_from_db()
    assert (notice.state, notice.attempts, notice.ended_at) == (State.SENT, 1, NOW)
    assert send_due_mail(NOW) == 0


def test_nothing_goes_out_before_it_is_due() -> None:
    make_notice(make_user(), next_try_at=NOW + timedelta(seconds=1))
    assert send_due_mail(NOW) == 0
    assert send_due_mail(NOW + timedelta(seconds=1)) == 1


def test_a_day_is_one_mail_to_each_person() -> None:
    ada, bob = make_user(), make_user()
    first = make_notice(ada, is_digest=True)
    make_notice(ada, is_digest=True, kind="entry.decision", facts={"entry": 7, "benchmark": "demo"})
    make_notice(ada)
    make_notice(bob, is_digest=True)
    later = make_notice(ada, is_digest=True, next_try_at=NOW + timedelta(days=1))
    assert send_due_mail(NOW) == 3
    daily = next(sent for sent in mail.outbox if "2 notices" in sent.subject)
    assert daily.to == [ada.email]
    assert daily.message()["Message-ID"] == f"<{first.public_id}@127.0.0.1>"
    assert "Decision on your entry" in daily.body
    later.refresh_from_db()
    assert later.state == State.WAITING


def test_a_failure_is_tried_again_later_and_later_with_the_same_id(faults: list[Exception | None]) -> None:
    notice = make_notice(make_user())
    faults += [smtplib.SMTPServerDisconnected("away"), OSError("away")]
    assert send_due_mail(NOW) == 0
    notice.refresh_from_db()
    assert (notice.state, notice.attempts, notice.next_try_at) == (
        State.WAITING,
        1,
        NOW + timedelta(minutes=1),
    )
    assert notice.fault == "mail server: SMTPServerDisconnected"
    assert send_due_mail(NOW + timedelta(seconds=59)) == 0
    later = NOW + timedelta(minutes=1)
    assert send_due_mail(later) == 0
    notice.refresh_from_db()
    assert (notice.attempts, notice.next_try_at) == (2, later + timedelta(minutes=2))
    assert send_due_mail(later + timedelta(minutes=2)) == 1
    assert mail.outbox[0].message()["Message-ID"] == f"<{notice.public_id}@127.0.0.1>"


def test_after_the_last_attempt_it_is_given_up_with_the_reason(faults: list[Exception | None]) -> None:
    notice = make_notice(make_user())
    now = NOW
    for _ in range(ATTEMPTS + 3):
        faults[:] = [OSError("away")]
        send_due_mail(now)
        now += timedelta(hours=7)
    notice.refresh_from_db()
    assert (notice.state, notice.attempts, notice.fault) == (State.FAILED, ATTEMPTS, "mail server: OSError")


def test_a_server_that_is_away_is_not_asked_for_each_mail(faults: list[Exception | None]) -> None:
    notices = [make_notice(make_user()) for _ in range(5)]
    faults += [ConnectionRefusedError("away")] * 5
    assert send_due_mail(NOW) == 0
    assert len(faults) == 4, "one mail was enough to see it"
    for notice in notices:
        notice.refresh_from_db()
        assert notice.next_try_at == NOW + timedelta(minutes=1)
    assert [notice.attempts for notice in notices] == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(("code", "state", "others"), [(550, State.FAILED, 1), (450, State.WAITING, 1)])
def test_an_address_that_is_refused_stops_no_other_mail(
    faults: list[Exception | None], code: int, state: str, others: int, caplog: pytest.LogCaptureFixture
) -> None:
    refused, other = make_notice(make_user(email="gone@example.org")), make_notice(make_user())
    faults += [smtplib.SMTPRecipientsRefused({"gone@example.org": (code, b"no gone@example.org here")})]
    with caplog.at_level(logging.DEBUG):
        assert send_due_mail(NOW) == others
    refused.refresh_from_db()
    other.refresh_from_db()
    assert (refused.state, other.state) == (state, State.SENT)
    assert refused.fault == f"mail server refused the address with {code}"
    assert "gone@" not in caplog.text


def test_no_address_is_kept_or_logged(
    faults: list[Exception | None], caplog: pytest.LogCaptureFixture
) -> None:
    notice = make_notice(make_user(email="secret@example.org"))
    faults += [smtplib.SMTPDataError(554, b"<secret@example.org> looks bad")]
    with caplog.at_level(logging.DEBUG):
        send_due_mail(NOW)
    notice.refresh_from_db()
    assert notice.fault == "mail server answered 554"
    assert "secret@" not in caplog.text


def test_a_call_sends_only_so_many() -> None:
    for _ in range(MAILS_AT_ONCE + 3):
        make_notice(make_user())
    assert send_due_mail(NOW) == MAILS_AT_ONCE
    assert send_due_mail(NOW) == 3


def test_what_a_killed_worker_had_claimed_goes_out_after_the_lease() -> None:
    notice = make_notice(make_user())
    assert len(claim([notice.pk], NOW).notices) == 1
    assert not claim([notice.pk], NOW).notices
    assert send_due_mail(NOW + LEASE - timedelta(seconds=1)) == 0
    assert send_due_mail(NOW + LEASE) == 1
    notice.refresh_from_db()
    assert notice.attempts == 2


def test_who_comes_back_too_late_writes_nothing() -> None:
    notice = make_notice(make_user())
    slow = claim([notice.pk], NOW)
    send_due_mail(NOW + LEASE)
    assert slow.held().count() == 0


def test_a_notice_that_kills_every_worker_is_given_up() -> None:
    notice = make_notice(make_user())
    now = NOW
    for _ in range(ATTEMPTS):
        assert claim([notice.pk], now).notices
        now += LEASE
    assert not claim([notice.pk], now).notices
    assert give_up_lost(now) == 1
    notice.refresh_from_db()
    assert (notice.state, notice.fault) == (State.FAILED, "every attempt was lost")


def test_who_left_the_team_before_the_mail_is_not_told() -> None:
    leaver = make_user()
    team = make_team(members=[leaver])
    notice = make_notice(leaver, group="team", team=team)
    team.members.get(user=leaver).delete()
    assert send_due_mail(NOW) == 0
    notice.refresh_from_db()
    assert notice.state == State.DROPPED


def test_who_is_no_maintainer_any_more_is_not_told_as_one() -> None:
    user = make_maintainer()
    make_notice(user, group="maintainers", kind="docket.finding", facts={})
    user.is_maintainer = False
    user.save()
    assert send_due_mail(NOW) == 0
    assert not mail.outbox


def test_who_ended_a_kind_gets_no_more_of_it() -> None:
    user = make_user()
    ended, other = make_notice(user), make_notice(user, kind="entry.flag", facts={})
    choose(user, {Kind.STATUS: Often.NEVER})
    assert send_due_mail(NOW) == 1
    ended.refresh_from_db()
    other.refresh_from_db()
    assert (ended.state, other.state) == (State.DROPPED, State.SENT)


def link_in(sent: Any) -> str:
    return str(sent.message()["List-Unsubscribe"]).strip("<>").removeprefix("http://127.0.0.1:8000")


def test_the_link_in_the_header_ends_the_kind_by_one_post_signed_out() -> None:
    user = make_user()
    make_notice(user)
    send_due_mail(NOW)
    program = Client(enforce_csrf_checks=True)
    link = link_in(mail.outbox[0])
    assert program.get(link).status_code == 200
    make_notice(user)
    assert send_due_mail(NOW) == 1, "looking at the link ends nothing"
    answer = program.post(link, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    make_notice(user)
    make_notice(user, kind="entry.flag", facts={})
    assert send_due_mail(NOW) == 1


def test_the_link_of_a_daily_mail_ends_all_that_is_daily() -> None:
    user = make_user()
    choose(user, {Kind.STATUS: Often.DAILY, Kind.FLAG: Often.DAILY})
    make_notice(user, is_digest=True)
    send_due_mail(NOW)
    Client().post(link_in(mail.outbox[0]))
    kept = dict(user.notice_settings.values_list("kind", "often"))
    assert kept == {"submission.status": "never", "entry.flag": "never"}


def test_old_notices_are_deleted_and_waiting_ones_kept() -> None:
    old, waiting = make_notice(make_user()), make_notice(make_user(), next_try_at=NOW + timedelta(days=400))
    send_due_mail(NOW)
    assert delete_old(NOW + timedelta(days=91), timedelta(days=90)) == 1
    assert list(Notice.objects.all()) == [waiting]
    assert old.pk != waiting.pk
