"""Error reports to Sentry, where an address is set: types, places and numbers; nothing people typed or sent.

A process that sees answers, predictions, bundles or evidence reports no word of an exception either, since a library's
message may quote the row it stumbled over.
"""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from leaderboard.logs.redact import HIDDEN, redact

# Of a frame: where it is. Neither values nor source.
OF_FRAME = ("filename", "function", "module", "lineno", "in_app")
OF_EVENT = (
    "event_id",
    "timestamp",
    "level",
    "platform",
    "logger",
    "release",
    "environment",
    "server_name",
    "tags",
)
SPEAKING = frozenset({"web", "housekeeping", "notices"})


def start_reports(dsn: str, process: str, release: str, secrets: Sequence[str]) -> None:
    """Nothing happens without an address. Raises ImproperlyConfigured where the library is missing."""
    if not dsn:
        return
    try:
        import sentry_sdk
    except ImportError as error:
        raise ImproperlyConfigured("SENTRY_DSN is set: install sentry-sdk, or leave it out.") from error
    # Personal data are off by default; naming the switch is deprecated in favour of another that is not final.
    sentry_sdk.init(
        dsn=dsn,
        release=release or None,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=None,
        before_send=lambda event, hint: scrub(event, secrets, process in SPEAKING),  # type: ignore[arg-type, return-value]
    )


def scrub(event: dict[str, Any], secrets: Sequence[str] = (), speaks: bool = False) -> dict[str, Any]:
    """What is left of an event: only what is named here, so that a newer library adds nothing by itself."""
    kept = {name: event[name] for name in OF_EVENT if name in event}
    if route := event.get("transaction"):
        kept["transaction"] = redact(str(route), secrets)
    if method := event.get("request", {}).get("method"):
        kept["request"] = {"method": method}
    if message := event.get("logentry", {}).get("message"):
        # With its gaps: what was filled in may be anybody's words.
        kept["logentry"] = {"message": redact(str(message), secrets)}
    if exceptions := event.get("exception", {}).get("values"):
        kept["exception"] = {"values": [_exception(each, secrets, speaks) for each in exceptions]}
    return kept


def _exception(told: dict[str, Any], secrets: Sequence[str], speaks: bool) -> dict[str, Any]:
    frames = (told.get("stacktrace") or {}).get("frames") or []
    return {
        "type": told.get("type"),
        "module": told.get("module"),
        "value": redact(str(told.get("value") or ""), secrets) if speaks else HIDDEN,
        "stacktrace": {
            "frames": [{name: each[name] for name in OF_FRAME if name in each} for each in frames]
        },
    }
