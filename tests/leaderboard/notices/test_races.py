"""Two workers at once: news is told once, and a mail goes out once."""

import threading
from collections.abc import Callable

import pytest
from django.core import mail
from django.db import close_old_connections, connection
from django.utils import timezone

from leaderboard.models import Notice
from leaderboard.notices.outbox import tell_all
from leaderboard.notices.send_mail import send_due_mail
from submissions.states import record_event
from tests.factories import NOW, make_submission, make_user
from tests.leaderboard.notices.told import make_notice

pytestmark = pytest.mark.django_db(transaction=True)
WORKERS = 4


def at_once(work: Callable[[], int]) -> list[int]:
    """What each worker returned."""
    results: list[int] = []
    start = threading.Barrier(WORKERS)

    def run() -> None:
        close_old_connections()
        start.wait()
        try:
            results.append(work())
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_news_is_told_once() -> None:
    submission = make_submission()
    for _ in range(5):
        record_event(submission, "status", at=timezone.now(), after="rejected")
    now = timezone.now()
    told = at_once(lambda: tell_all(now))
    assert sum(told) == 5
    assert Notice.objects.count() == 5


def test_a_mail_goes_out_once() -> None:
    for _ in range(5):
        make_notice(make_user())
    sent = at_once(lambda: send_due_mail(NOW))
    assert sum(sent) == 5
    assert len(mail.outbox) == 5
    assert not Notice.objects.exclude(state=Notice.State.SENT).exists()


def test_a_digest_goes_out_once_and_whole() -> None:
    user = make_user()
    for _ in range(5):
        make_notice(user, is_digest=True)
    sent = at_once(lambda: send_due_mail(NOW))
    assert sum(sent) == 1
    assert "5 notices" in mail.outbox[0].subject
