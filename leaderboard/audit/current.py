"""The request that is being answered, for what is recorded far away from it."""

from contextvars import ContextVar
from typing import Any

from django.http import HttpRequest

from submissions.address import address_of

current: ContextVar[HttpRequest | None] = ContextVar("request_for_the_audit_log", default=None)


def current_person() -> Any:
    """Who is signed in now, also by a token; None for visitors, commands and workers."""
    user = getattr(current.get(), "user", None)
    return user if user is not None and user.is_authenticated else None


def current_address() -> str | None:
    """From where the request came; None outside of one."""
    request = current.get()
    return address_of(request) if request is not None else None
