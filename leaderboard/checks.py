"""System checks: settings that are each allowed and bad together, with what to change.

Errors keep every command and the web server from starting; warnings are printed.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register, run_checks
from django.core.exceptions import ImproperlyConfigured

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
# What Django's own test client and runner add to the list.
NOWHERE = frozenset({"testserver"})
SHORTEST_KEY = 50
SHORTEST_TOKEN = 32


class CannotStart(Exception):
    """The settings are not sound: every error with its mend."""


def require_sound_settings() -> None:
    """Raises CannotStart with all errors of the checks; for processes that are not started by a command."""
    errors = [message for message in run_checks(tags=[Tags.security]) if message.is_serious()]
    if errors:
        raise CannotStart("\n".join(str(error) for error in errors))


@register(Tags.security)
def check_mode(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    """What production must have, and what the quick start must not face."""
    return list(_reachable_quick_start() if settings.IS_LOCAL else _production())


def _reachable_quick_start() -> Iterator[CheckMessage]:
    if strangers := sorted(set(settings.ALLOWED_HOSTS) - LOOPBACK - NOWHERE):
        yield Error(
            f"MLEB_MODE=local answers to {', '.join(strangers)}, with passwords alone and without TLS cookies.",
            hint="Set MLEB_MODE=production, or leave MLEB_ALLOWED_HOSTS to loopback.",
            id="leaderboard.E001",
        )


def _production() -> Iterator[CheckMessage]:
    if len(_secret_key()) < SHORTEST_KEY:
        yield Error(
            "Production has no secret key, or a short one.",
            hint=f"Set MLEB_SECRET_KEY to {SHORTEST_KEY} random characters or more, the same for every process.",
            id="leaderboard.E002",
        )
    if not settings.ALLOWED_HOSTS or "*" in settings.ALLOWED_HOSTS:
        yield Error(
            "Production does not know the names it is reached by.",
            hint="Set MLEB_ALLOWED_HOSTS to them, separated by commas; * would let anybody choose the links in mail.",
            id="leaderboard.E003",
        )
    if settings.DEBUG:
        yield Error(
            "Production would show its settings to whoever finds a fault.",
            hint="Leave MLEB_DEBUG out.",
            id="leaderboard.E004",
        )


def _secret_key() -> str:
    """The key, or nothing where it is empty, which Django refuses to read."""
    try:
        return str(settings.SECRET_KEY)
    except ImproperlyConfigured:
        return ""


@register(Tags.security)
def check_maintainers(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    """A password alone must not publish anything where strangers can type one."""
    if settings.REQUIRE_MAINTAINER_TOTP or set(settings.ALLOWED_HOSTS) <= LOOPBACK | NOWHERE:
        return []
    return [
        Error(
            "Maintainers could decide with a password alone on a site that others reach.",
            hint="Leave MLEB_REQUIRE_MAINTAINER_TOTP out, or set it to yes.",
            id="leaderboard.E005",
        )
    ]


@register(Tags.security)
def check_site_url(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    """The address in links must be one the site answers to."""
    url = urlsplit(settings.SITE_URL)
    if url.scheme not in ("http", "https") or not url.hostname or url.path or url.query:
        wrong = "is not scheme and host alone"
    elif not settings.IS_LOCAL and url.scheme != "https":
        wrong = "is not https, although production redirects there"
    else:
        return []
    return [
        Error(
            f"MLEB_SITE_URL={settings.SITE_URL} {wrong}.",
            hint="Write it as https://leaderboard.example.org.",
            id="leaderboard.E006",
        )
    ]


@register(Tags.security)
def check_proxy(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    """Gunicorn speaks plain HTTP: without a proxy's word every request looks insecure, and comes from one place."""
    return [] if settings.IS_LOCAL else list(_proxy())


def _proxy() -> Iterator[CheckMessage]:
    is_behind_proxy = bool(settings.SECURE_PROXY_SSL_HEADER)
    if settings.SECURE_SSL_REDIRECT and not is_behind_proxy:
        yield Warning(
            "Every request is redirected to https, and no proxy is trusted to say that it came by it.",
            hint="Set MLEB_BEHIND_PROXY=yes where a proxy sets X-Forwarded-Proto itself.",
            id="leaderboard.W001",
        )
    if is_behind_proxy and not settings.REST_FRAMEWORK["NUM_PROXIES"]:
        yield Warning(
            "Behind a proxy every visitor has the proxy's address, so all share one throttle.",
            hint="Set MLEB_PROXIES to the number of proxies in front.",
            id="leaderboard.W002",
        )


@register(Tags.security)
def check_mail(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    """Where addresses must be verified, the mail has to arrive."""
    if settings.IS_LOCAL or not settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
        return []
    return [
        Warning(
            "Mail is sent from an address at localhost, which others refuse; nobody could verify theirs.",
            hint="Set MLEB_EMAIL_FROM, and MLEB_EMAIL_HOST where the server is not this machine.",
            id="leaderboard.W003",
        )
    ]


@register(Tags.security)
def check_metrics(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    """A token that can be guessed opens figures of submissions that nobody has published."""
    if not settings.METRICS_TOKEN or len(settings.METRICS_TOKEN) >= SHORTEST_TOKEN:
        return []
    return [
        Error(
            "MLEB_METRICS_TOKEN is short enough to be guessed.",
            hint=f"Set it to {SHORTEST_TOKEN} random characters or more, or leave it out.",
            id="leaderboard.E010",
        )
    ]
