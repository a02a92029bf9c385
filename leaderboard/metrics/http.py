"""Requests by route and status, and bytes of bundles as they come in."""

from collections.abc import Callable
from time import monotonic

from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
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
        route = _route(request)
        method = request.method if request.method in KNOWN_METHODS else "other"
        REQUESTS.labels(method, route, response.status_code).inc()
        SECONDS.labels(route).observe(monotonic() - begun)
        return response


def _route(request: HttpRequest) -> str:
    """The route's name; `kept` where the answer was kept in memory, and no route was looked for."""
    match = request.resolver_match
    if match is None:
        return "kept or none"
    return match.view_name or match.route or "unnamed"
