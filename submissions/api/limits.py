"""How often somebody may ask, and headers that say how much of that is left."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, ScopedRateThrottle, UserRateThrottle

from submissions.address import address_of, network_of


@dataclass(frozen=True)
class Quota:
    """Requests allowed in a time, how many of them are left, and seconds until one more is."""

    limit: int
    window_s: int
    left: int
    reset_s: int


class Told:
    """Mixed into the framework's throttles: notes on the request what was found."""

    def allow_request(self: Any, request: Request, view: Any) -> bool:
        allowed: bool = super().allow_request(request, view)  # type: ignore[misc]
        history = getattr(self, "history", None)
        if history is not None:
            left = self.num_requests - len(history)
            oldest = history[-1] if history else self.now
            reset_s = max(0, round(oldest + self.duration - self.now))
            quota = Quota(self.num_requests, self.duration, max(0, left), reset_s)
            request._request.quotas = [*getattr(request._request, "quotas", ()), quota]  # type: ignore[attr-defined]
        return allowed


class ByAddress:
    """Mixed into the framework's throttles: counts the same address as the rest of the site does."""

    def get_ident(self, request: Request) -> str:
        return network_of(address_of(request._request))


class AnonThrottle(ByAddress, Told, AnonRateThrottle):
    """By address, for whoever shows no token."""


class UserThrottle(ByAddress, Told, UserRateThrottle):
    """By account; it lets an address without a token pass, which the other one counts."""

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        is_known = request.user and request.user.is_authenticated
        return super().get_cache_key(request, view) if is_known else None


class ScopeThrottle(ByAddress, Told, ScopedRateThrottle):
    """By account or address, for routes with a limit of their own."""


class LimitHeaders:
    """Puts the tightest of the quotas that counted into the answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        quotas: list[Quota] = getattr(request, "quotas", [])
        if quotas:
            tightest = min(quotas, key=lambda quota: quota.left / quota.limit)
            response["RateLimit-Limit"] = str(tightest.limit)
            response["RateLimit-Remaining"] = str(tightest.left)
            response["RateLimit-Reset"] = str(tightest.reset_s)
            response["RateLimit-Policy"] = f"{tightest.limit};w={tightest.window_s}"
        return response
