"""Headers that Django has no setting for, on every answer."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from leaderboard.security import PERMISSIONS_POLICY

CORP = "Cross-Origin-Resource-Policy"


class SecurityHeaders:
    """No page may use a device, and no other site may embed an answer that does not say so itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.setdefault(CORP, "same-origin")
        return response
