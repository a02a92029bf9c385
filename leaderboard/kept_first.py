"""What is kept, answered before Django looks at the request: making one of it would be most of the work."""

from collections.abc import Iterable
from http import HTTPStatus
from time import monotonic
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from leaderboard.boards import fresh_state
from leaderboard.kept_answers import find_kept
from leaderboard.logs.context import request_id
from leaderboard.logs.middleware import HEADER, write_kept
from leaderboard.metrics.http import KEPT, count_request

STATUS = {status: f"{status} {HTTPStatus(status).phrase}" for status in (200, 304)}
NUMBER = f"HTTP_{HEADER.upper().replace('-', '_')}"


class KeptFirst:
    """The application, which is not asked for what is kept. Numbers, counts and logs as its middleware does.

    Asks nothing of the database: whether the boards are still the same is found out by the application, with all its
    care for connections.
    """

    def __init__(self, application: WSGIApplication) -> None:
        self.application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        begun, state = monotonic(), fresh_state()
        kept = find_kept(environ, state) if state else None
        if kept is None:
            return self.application(environ, start_response)
        status, body, headers = kept.answer(environ.get("HTTP_IF_NONE_MATCH", ""))
        number = request_id(environ.get(NUMBER, ""))
        start_response(STATUS[status], [*headers, (HEADER, number)])
        took_s = monotonic() - begun
        count_request("GET", KEPT, status, took_s)
        write_kept(number, environ.get("PATH_INFO", ""), status, took_s)
        return [body]
