"""Notes each request while it is answered, and which maintainer was given whose private evidence."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

from leaderboard.audit.acts import Act
from leaderboard.audit.current import current
from leaderboard.audit.record import record

# Pages that show logs, code or links which the public does not see.
PRIVATE: Final = frozenset(
    {"submission-evidence", "decision-evidence", "flag-evidence", "code-match", "docket-case", "api:case"}
)


class Audit:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = current.set(request)
        try:
            response = self.get_response(request)
            if _is_private(request, response):
                record(Act.EVIDENCE_SEEN, request.path)
            return response
        finally:
            current.reset(token)


def _is_private(request: HttpRequest, response: HttpResponse) -> bool:
    """A maintainer was shown such a page. A team that looks at its own is no news."""
    match = request.resolver_match
    if match is None or match.view_name not in PRIVATE or response.status_code != 200:
        return False
    return bool(getattr(request.user, "may_maintain", False))
