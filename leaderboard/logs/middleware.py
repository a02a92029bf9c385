"""The first of all: gives each request an id, says it in the answer, and writes the one line of the access log."""

import logging
from collections.abc import Callable
from time import monotonic

from django.http import HttpRequest, HttpResponse
from django.http.response import ResponseHeaders

from leaderboard.logs.context import request_id, speaking_of

HEADER = "X-Request-ID"
# Asked every few seconds by machines; a line for each would drown the rest.
SILENT = frozenset({"/healthz", "/readyz", "/metrics"})
log = logging.getLogger("leaderboard.access")


class RequestLog:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        number, begun = request_id(request.headers.get(HEADER, "")), monotonic()
        with speaking_of(request_id=number):
            response = self.get_response(request)
            _number(response, number)
            if request.path not in SILENT:
                _write(request, response, monotonic() - begun)
        return response


def write_kept(number: str, path: str, status: int, took_s: float) -> None:
    """The line of an answer that was kept, for which no route was looked for."""
    if log.isEnabledFor(logging.INFO):
        with speaking_of(request_id=number):
            _log("GET", path, status, took_s)


def _number(response: HttpResponse, number: str) -> None:
    """On headers of its own: those of a kept answer belong to all who are given it."""
    headers = ResponseHeaders({})
    # Past the checks of each header, which were made once.
    headers._store = {**response.headers._store, HEADER.lower(): (HEADER, number)}
    response.headers = headers


def _write(request: HttpRequest, response: HttpResponse, took_s: float) -> None:
    """Path without the query, which may hold secrets, and without the sender's address."""
    match = request.resolver_match
    submission = match.kwargs.get("public_id") or match.kwargs.get("submission") if match else None
    more = {"object": str(submission)} if submission else {}
    route = match.view_name if match else None
    _log(request.method or "", request.path, response.status_code, took_s, route, **more)


def _log(method: str, path: str, status: int, took_s: float, route: str | None = None, **more: str) -> None:
    said = {"method": method, "route": route, "status": status, "took_ms": round(took_s * 1000, 1), **more}
    log.info("%s %s %s", method, path, status, extra=said)
