"""A mail from notices: plain text, a stable Message-ID, and the headers by which mail programs end it."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse

from leaderboard.models import Notice
from leaderboard.notices.kinds import Group, Kind
from leaderboard.notices.preferences import link_token
from leaderboard.notices.words import Item, Ways, body_of, subject_of
from submissions.models import User


def compose(notices: Sequence[Notice], user: User) -> EmailMessage:
    """The mail about one notice, or about a day's."""
    items = [Item(Kind(n.kind), Group(n.group), n.facts, f"{settings.SITE_URL}{n.path}") for n in notices]
    ways = _ways(notices, user)
    return EmailMessage(
        subject_of(items, settings.SITE_NAME),
        body_of(items, ways),
        settings.DEFAULT_FROM_EMAIL,
        [user.email],
        headers=_headers(notices[0], ways),
    )


def _ways(notices: Sequence[Notice], user: User) -> Ways:
    first = notices[0]
    token = link_token(user, None if first.is_digest else Kind(first.kind))
    return Ways(
        settings_url=settings.SITE_URL + reverse("notice-settings"),
        unsubscribe_url=settings.SITE_URL + reverse("notice-unsubscribe", args=[token]),
    )


def _headers(first: Notice, ways: Ways) -> dict[str, str]:
    """The id is that of the first notice: the same however often the mail is sent, so that doubles can be told."""
    return {
        "Message-ID": f"<{first.public_id}@{urlsplit(settings.SITE_URL).hostname}>",
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": f"<{ways.unsubscribe_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
