"""Every error of the API as problem+json (RFC 9457), with all its reasons in `errors`."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.http import JsonResponse
from rest_framework.response import Response
from rest_framework.views import exception_handler

from grading.bucket import StoreRefused, StoreSilent
from submissions.cards import CardConflict
from submissions.confirm import NotConfirmed
from submissions.run_card import RunCardError
from submissions.states import StatusConflict
from submissions.uploads import UploadError

log = logging.getLogger(__name__)
CONTENT_TYPE = "application/problem+json"
NOT_FOUND = "There is nothing here, or it is not public and you are not signed in as one of its people."
MOVED_ON = "The submission has moved on, so this cannot be done now. Read its status again."
STORE_SILENT = "A store of this site is not answering. Nothing is lost; try again in a minute."
STALE_CARD = "Somebody saved another revision meanwhile. Read the run card again and change that one."
SEVERAL = "The request was understood but cannot be done. Each reason is in `errors`."


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer for an error that a view let through; None for one nobody foresaw, which then crashes."""
    match error:
        case UploadError():
            return problem(error.status, error.message, [_item(error.code, "upload", error.message)])
        case NotConfirmed():
            return problem(422, SEVERAL, error.problems)
        case RunCardError():
            return problem(422, SEVERAL, [_item(p.code, p.path, p.message) for p in error.problems])
        case StoreSilent() | StoreRefused():
            log.error("%s", error)
            again = {"Retry-After": "10"}
            return problem(503, STORE_SILENT, [_item("storage_silent", "", STORE_SILENT)], again)
        case StatusConflict():
            return problem(409, MOVED_ON, [_item("status_conflict", "status", MOVED_ON)])
        case CardConflict():
            return problem(409, STALE_CARD, [_item("stale_card", "based_on", STALE_CARD)])
    return _of_framework(error, context)


def _of_framework(error: Exception, context: Mapping[str, Any]) -> Response | None:
    response = exception_handler(error, dict(context))
    if response is None:
        return None
    errors = list(_items(response.data))
    if response.status_code == 404:
        errors = [_item("not_found", "", NOT_FOUND)]
    detail = errors[0]["message"] if len(errors) == 1 else SEVERAL
    # The framework's own headers (Retry-After, WWW-Authenticate) stay.
    return problem(response.status_code, detail, errors, headers=dict(response.headers))


def problem(
    status: int, detail: str, errors: Sequence[Mapping[str, str]], headers: Mapping[str, str] | None = None
) -> Response:
    """An error response. `errors`: objects with code, where, message."""
    phrase = HTTPStatus(status).phrase
    body = {
        "type": "about:blank",
        "title": phrase,
        "status": status,
        "detail": detail,
        "errors": list(errors),
    }
    kept = {name: value for name, value in (headers or {}).items() if name.lower() != "content-type"}
    return Response(body, status=status, headers=kept, content_type=CONTENT_TYPE)


def plain_problem(status: int, detail: str, code: str = "") -> JsonResponse:
    """The same outside the framework's views: for addresses that lead nowhere, and for what failed elsewhere."""
    body = problem(status, detail, [_item(code or HTTPStatus(status).name.lower(), "", detail)]).data
    return JsonResponse(body, status=status, content_type=CONTENT_TYPE)


def _item(code: str, where: str, message: str) -> dict[str, str]:
    return {"code": code, "where": where, "message": message}


def _items(data: Any, where: str = "") -> Iterator[dict[str, str]]:
    """The framework's nested details as one flat list."""
    if isinstance(data, Mapping):
        for name, inner in data.items():
            yield from _items(inner, where if name == "detail" else f"{where}.{name}".lstrip("."))
    elif isinstance(data, list):
        for inner in data:
            yield from _items(inner, where)
    else:
        yield _item(getattr(data, "code", "invalid"), where, str(data))
