"""Sending the mails that are due. Housekeeping alone does it; addresses go to the mail server and nowhere else."""

import logging
import smtplib
import time
from contextlib import suppress
from datetime import datetime, timedelta

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import QuerySet

from grading.fault_points import fault_point
from leaderboard.models import Notice
from leaderboard.notices.kinds import Group, Kind, Often
from leaderboard.notices.mail import compose
from leaderboard.notices.people import still_hears
from leaderboard.notices.preferences import often_of
from leaderboard.notices.trying import Claim, State, claim, end, record_failure

log = logging.getLogger(__name__)
MAIL_SENT = fault_point("mail_sent")
# Per call, so that housekeeping has time for everything else.
MAILS_AT_ONCE = 20
WITHIN_S = 8.0
IN_ONE_DIGEST = 100
# The server answers nobody: all others wait too.
PAUSE = timedelta(minutes=1)
REFUSED_FOR_GOOD = 500


def send_due_mail(now: datetime) -> int:
    """How many mails went out. Stops early where the mail server is away."""
    sent, deadline = 0, time.monotonic() + WITHIN_S
    connection = get_connection()
    try:
        while sent < MAILS_AT_ONCE and time.monotonic() < deadline:
            claimed = _claim_next(now)
            if not claimed.notices:
                break
            sent += _send(claimed, connection, now)
    except (OSError, smtplib.SMTPException) as error:
        log.warning("%s; all mail waits a minute", _fault(error))
        _due(now).update(next_try_at=now + PAUSE)
    finally:
        with suppress(OSError, smtplib.SMTPException):
            connection.close()
    return sent


def _due(now: datetime) -> QuerySet[Notice]:
    return Notice.objects.due(now).filter(user__isnull=False)


def _claim_next(now: datetime) -> Claim:
    """The oldest due notice; if it belongs into a digest, with all of the person's that do."""
    first = _due(now).order_by("next_try_at", "pk").first()
    if first is None:
        return Claim([], now)
    if not first.is_digest:
        return claim([first.pk], now)
    of_the_day = _due(now).filter(user=first.user_id, is_digest=True).order_by("pk")
    return claim(of_the_day.values_list("pk", flat=True)[:IN_ONE_DIGEST], now)


def _send(claimed: Claim, connection: BaseEmailBackend, now: datetime) -> bool:
    """Whether a mail went out. Raises what the mail server, or the way to it, raised."""
    wanted = [notice for notice in claimed.notices if _is_wanted(notice)]
    unwanted = [notice for notice in claimed.notices if notice not in wanted]
    end(Claim(unwanted, claimed.at), State.DROPPED, now)
    if not wanted or wanted[0].user is None:
        return False
    kept = Claim(wanted, claimed.at)
    try:
        connection.open()
        connection.send_messages([compose(wanted, wanted[0].user)])
    except smtplib.SMTPRecipientsRefused as error:
        _record_refusal(kept, _code_of(error), now)
        return False
    except (OSError, smtplib.SMTPException) as error:
        record_failure(kept, _fault(error), now)
        raise
    MAIL_SENT.reach()
    end(kept, State.SENT, now, fault="")
    return True


def _is_wanted(notice: Notice) -> bool:
    """Whether the person still may hear of it, and has not ended mail of its kind since."""
    assert notice.user is not None, "only notices to people are mailed"
    wants = often_of(notice.user, Kind(notice.kind)) != Often.NEVER
    return wants and still_hears(notice.user, Group(notice.group), notice.team)


def _fault(error: Exception) -> str:
    """Never its words: those of mail servers hold addresses."""
    code = getattr(error, "smtp_code", None)
    return f"mail server answered {code}" if code else f"mail server: {type(error).__name__}"


def _record_refusal(claimed: Claim, code: int, now: datetime) -> None:
    """Of this recipient alone. A refusal for good, such as of an address that is no more, is not tried again."""
    fault = f"mail server refused the address with {code}"
    if code >= REFUSED_FOR_GOOD:
        end(claimed, State.FAILED, now, fault=fault)
    else:
        record_failure(claimed, fault, now)


def _code_of(error: smtplib.SMTPRecipientsRefused) -> int:
    return max((code for code, _ in error.recipients.values()), default=0)
