"""Requests by route and status, and bytes of bundles as they come in."""

from collections.abc import Callable
from functools import lru_cache
from time import monotonic

from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Of answers for which no route was looked for.
KEPT = "kept or none"
REQUESTS = Counter("mleb_http_requests", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram(
    "mleb_http_seconds",
    "Seconds until the answer was ready, without sending it.",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)


class CountRequests:
    """Inside RequestLog. What no route answers counts as one, or strangers could make up any number of labels."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun = monotonic()
        response = self.get_response(request)
        count_request(request.method or "", _route(request), response.status_code, monotonic() - begun)
        return response


def count_request(method: str, route: str, status: int, took_s: float) -> None:
    requests, seconds = _counters(method if method in KNOWN_METHODS else "other", route, status)
    requests.inc()
    seconds.observe(took_s)


@lru_cache(maxsize=2**10)
def _counters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Kept, since looking them up takes longer than counting."""
    return REQUESTS.labels(method, route, status), SECONDS.labels(route)


def _route(request: HttpRequest) -> str:
    """The route's name; `kept` where the answer was kept in memory, and no route was looked for."""
    match = request.resolver_match
    if match is None:
        return KEPT
    return match.view_name or match.route or "unnamed"
