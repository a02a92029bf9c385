"""How a line looks. Both kinds pass through `redact`, tracebacks too."""

import json
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from leaderboard.logs.context import about
from leaderboard.logs.redact import redact

# What `logging` itself puts on a record; all else was given with `extra`.
OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
PLAIN = (str, int, float, bool, type(None))
# An address may hold line breaks and what terminals obey: nobody outside is to write lines of ours.
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))} | {
    code: f"\\u{code:04x}" for code in (0x2028, 0x2029)
}


class TextFormatter(logging.Formatter):
    """A line for people: time, level, logger, message, and at the end what it is about."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")
        self.secrets = secrets

    def formatMessage(self, record: logging.LogRecord) -> str:  # The library's name.
        """One line; what may have several, such as a traceback, is put behind it."""
        return super().formatMessage(record).translate(CONTROLS)

    def format(self, record: logging.LogRecord) -> str:
        names = " ".join(f"{name}={value}" for name, value in about().items())
        return redact(f"{super().format(record)}{' ' if names else ''}{names}", self.secrets)


class JsonFormatter(logging.Formatter):
    """One JSON object in a line, for programs. Values of `extra` that are not plain are left out."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self.secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": f"{datetime.fromtimestamp(record.created, UTC):%Y-%m-%dT%H:%M:%S.%fZ}",
            "level": record.levelname,
            "logger": record.name,
            "message": redact(record.getMessage(), self.secrets),
            **about(),
            **{name: self._plain(value) for name, value in _extra(record).items()},
        }
        if record.exc_info:
            line["exception"] = redact(self.formatException(record.exc_info), self.secrets)
        return json.dumps(line, ensure_ascii=False)

    def _plain(self, value: object) -> object:
        return redact(value, self.secrets) if isinstance(value, str) else value


def _extra(record: logging.LogRecord) -> dict[str, object]:
    return {
        name: value for name, value in vars(record).items() if name not in OWN and isinstance(value, PLAIN)
    }
