"""What goes wrong before or inside a view: a page for people, problem+json for programs."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve
from django.views import defaults
from django.views.decorators.csrf import csrf_exempt

from leaderboard.api.errors import plain_problem

API = "/api/"
NO_ROUTE = "There is no such address. /api/v1/docs/ lists those there are."
SENTENCES = {
    400: "The request could not be read.",
    403: "This is not allowed here.",
    404: NO_ROUTE,
    500: "This went wrong on our side and was written down. Try again in a moment.",
}


@csrf_exempt
def no_route(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Any address under /api/ that nothing answers; a list asked for without its last slash is sent on."""
    if request.method in ("GET", "HEAD") and not request.path.endswith("/") and _leads(f"{request.path}/"):
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(f"{request.path}/" + (f"?{query}" if query else ""))
    return plain_problem(404, NO_ROUTE, "no_route")


def _leads(path: str) -> bool:
    try:
        return resolve(path).func is not no_route
    except Resolver404:
        return False


def _handler(status: int, page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A handler of Django's that answers programs in their own way."""

    def handle(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.path.startswith(API):
            return plain_problem(status, SENTENCES[status])
        return page(request, *args, **kwargs)

    return handle


bad_request = _handler(400, defaults.bad_request)
permission_denied = _handler(403, defaults.permission_denied)
page_not_found = _handler(404, defaults.page_not_found)
server_error = _handler(500, defaults.server_error)
