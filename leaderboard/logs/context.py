"""What is being worked on now, for every line that is written meanwhile. Pure but for the clock of contextvars."""

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

# A proxy's or a client's own id: what fits no more than this could forge lines.
GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")
_about: ContextVar[Mapping[str, str]] = ContextVar("what_log_lines_are_about")


def about() -> Mapping[str, str]:
    """By name (request_id, submission, run, task, task_id) what is worked on in this thread or task."""
    return _about.get({})


@contextmanager
def speaking_of(**names: str) -> Iterator[None]:
    """Lines written inside say so, beside what they said before. Empty values are left out."""
    token = _about.set({**about(), **{name: value for name, value in names.items() if value}})
    try:
        yield
    finally:
        _about.reset(token)


def request_id(given: str) -> str:
    """The id that came with the request where it is a plain word, else a new one."""
    return given if GIVEN.fullmatch(given) else secrets.token_hex(8)
