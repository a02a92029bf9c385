"""Django's LOGGING for both formats. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

# Sweeps ring every few seconds; their comings and goings would drown the rest. `django.request` says again what the
# access log says.
QUIET = ("celery.beat", "celery.worker.strategy", "celery.app.trace", "httpx", "botocore", "boto3", "urllib3")
FORMATTERS = {"json": "JsonFormatter", "text": "TextFormatter"}


def logging_settings(form: str, level: str, secrets: Sequence[str]) -> Mapping[str, Any]:
    """`form` is json or text; `secrets` are values that no line may hold."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": f"leaderboard.logs.formatters.{FORMATTERS[form]}", "secrets": secrets}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {name: {"level": "WARNING"} for name in QUIET}
        # Both bring handlers of their own, past which nothing is redacted.
        | {
            name: {"handlers": [], "propagate": True}
            for name in ("django", "django.server", "gunicorn.error")
        }
        # It misses exchanges for messages for later, which nobody sends: see brokers.py.
        | {"kombu.transport.native_delayed_delivery": {"level": "ERROR"}},
    }
