"""How much of a request is taken before anybody looks at who sends it, and what becomes of one that is broken off."""

import re
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.shortcuts import render

from submissions.models import Team
from submissions.uploads import is_direct

# Where files arrive; a part of an upload is streamed and checked against its own size.
FORM_WITH_FILE = re.compile(r"/submit/|/submissions/[^/]+/upload/")
PARTS = "/parts/"
VALIDATE = re.compile(r"(/api/v1)?/competitions/[^/]+/validate/?")
TOO_LARGE = (
    "The request is larger than this address takes, or does not say its length. Nothing of it was stored."
)
BROKEN_OFF = (
    "The connection ended before the whole request was here. Nothing of it was stored; send it again."
)


class BodyLimit:
    """Refuses a body that is larger than the address has use for, or of unannounced length, before it is read.

    Django stores the files of any form before it asks for a token or a session.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _length(request) > _limit(request):
            if not request.path.startswith("/api/"):
                return render(request, "413.html", status=413)
            return _problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", TOO_LARGE)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A sender who breaks off, or is too slow, is no failure of this site: nobody is to be called for it."""
        if isinstance(error, UnreadablePostError):
            return _problem(HTTPStatus.BAD_REQUEST, "broken_off", BROKEN_OFF)
        return None


def _problem(status: HTTPStatus, code: str, message: str) -> HttpResponse:
    """As the API says it; its own handler has not been reached, or does not know of it."""
    item = {"code": code, "where": "", "message": message}
    body = {
        "type": "about:blank", "title": status.phrase, "status": status, "detail": message, "errors": [item]
    }  # fmt: skip
    return JsonResponse(body, status=status, content_type="application/problem+json")


def _length(request: HttpRequest) -> int:
    """Announced bytes; an unannounced length counts as endless where there is a body at all."""
    if request.META.get("HTTP_TRANSFER_ENCODING"):
        return settings.UPLOAD_MAX_BYTES + 1
    announced = request.META.get("CONTENT_LENGTH") or "0"
    return int(announced) if announced.isdigit() else settings.UPLOAD_MAX_BYTES + 1


def _limit(request: HttpRequest) -> int:
    if PARTS in request.path and request.path.startswith("/api/"):
        return settings.UPLOAD_PART_BYTES
    if VALIDATE.fullmatch(request.path) and (
        request.path.startswith("/api/") or request.user.is_authenticated
    ):
        return settings.VALIDITY_MAX_BYTES + settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if FORM_WITH_FILE.fullmatch(request.path) and not is_direct() and _may_hand_in(request):
        return settings.UPLOAD_MAX_BYTES + settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def _may_hand_in(request: HttpRequest) -> bool:
    """Whether somebody sends a form who is in a team: nobody else has a bundle to send."""
    is_sent = request.method == "POST" and request.user.is_authenticated
    return is_sent and Team.objects.of(request.user).exists()
