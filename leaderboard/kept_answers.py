"""Public answers as they went out, kept in memory for whoever asks the same while the boards stay as they are."""

import gzip
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.http.response import ResponseHeaders
from django.utils.cache import get_conditional_response, patch_vary_headers

from leaderboard.boards import known_boards
from leaderboard.kept import Shelf

MEMORY_BYTES = 32 * 2**20
# Longer words are somebody's play. They are answered, but not kept.
LONGEST_ADDRESS, LONGEST_ACCEPT = 500, 300
# What htmx says of where it is, which no answer depends on.
IDLE = frozenset({"HTTP_HX_CURRENT_URL", "HTTP_HX_TARGET", "HTTP_HX_BOOSTED", "HTTP_HX_PROMPT"})
# Of the body, which a 304 does not have; and of the asker, whom the next one is not.
OF_BODY = frozenset({"content-type", "content-length", "content-encoding", "content-language"})
OF_ASKER = frozenset({"ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy"})
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
GZIP_LEVEL = 6
SMALLEST_GZIP = 500


@dataclass(frozen=True)
class Kept:
    """An answer, and the state of the boards that it holds for. `bare`: the headers of a 304."""

    state: str
    body: bytes
    headers: ResponseHeaders
    bare: ResponseHeaders

    @property
    def weight(self) -> int:
        return len(self.body) + 3_000


_kept: Shelf[Kept] = Shelf(MEMORY_BYTES, lambda kept: kept.weight)


def keep(response: HttpResponse, state: str) -> None:
    """Says of an answer that it has an ETag and depends on nothing but address, `Accept`, htmx and these boards."""
    response.kept_for = state  # type: ignore[attr-defined]


def forget() -> None:
    """Nothing is kept any more; for tests, whose boards may be told apart by nothing."""
    _kept.clear()


class KeptAnswers:
    """The outermost middleware: what is kept has been through all others, and carries their headers.

    Whoever asks for it costs next to nothing, so that no throttle counts it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key = _key(request)
        kept = _kept.get(key) if key else None
        if kept is not None and kept.state == known_boards().state:
            return _answer(request, kept)
        response = self.get_response(request)
        state = getattr(response, "kept_for", None)
        if state is None:
            return response
        _compress(request, response)
        if key and _is_for_everybody(response):
            _kept.put(key, _take(response, state))
        return response


def _key(request: HttpRequest) -> Hashable | None:
    """All that the answer depends on beside the boards; None where it is not to be kept."""
    meta = request.META
    accept, address = meta.get("HTTP_ACCEPT", ""), request.get_full_path()
    if request.method != "GET" or meta.get("CONTENT_LENGTH") not in (None, "", "0"):
        return None
    if len(address) > LONGEST_ADDRESS or len(accept) > LONGEST_ACCEPT:
        return None
    host = meta.get("HTTP_HOST", ""), meta.get("HTTP_X_FORWARDED_HOST", ""), request.scheme
    return address, accept, _takes_gzip(request), host, _htmx(request)


def _htmx(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    if "HTTP_HX_REQUEST" not in request.META:
        return ()
    said = (item for item in request.META.items() if item[0].startswith("HTTP_HX_") and item[0] not in IDLE)
    return tuple(sorted(said))


def _takes_gzip(request: HttpRequest) -> bool:
    return GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")) is not None


def _is_for_everybody(response: HttpResponse) -> bool:
    return (
        response.status_code == 200
        and not response.cookies
        and "ETag" in response
        and "cookie" not in response.get("Vary", "").lower()
    )


def _compress(request: HttpRequest, response: HttpResponse) -> None:
    """Compresses the body where the reader takes that. The same answer in other bytes has a weak ETag.

    Nothing in it is secret, or said by the asker and mixed with secrets, so that its length tells nothing.
    """
    patch_vary_headers(response, ["Accept-Encoding"])
    if not _takes_gzip(request) or len(response.content) < SMALLEST_GZIP:
        return
    # Without a time, so that the same answer has the same bytes.
    response.content = gzip.compress(response.content, GZIP_LEVEL, mtime=0)
    response["Content-Encoding"] = "gzip"
    response["Content-Length"] = str(len(response.content))
    if "ETag" in response:
        response["ETag"] = f"W/{response['ETag'].removeprefix('W/')}"


def _take(response: HttpResponse, state: str) -> Kept:
    headers = {name: value for name, value in response.items() if name.lower() not in OF_ASKER}
    bare = {name: value for name, value in headers.items() if name.lower() not in OF_BODY}
    return Kept(state, response.content, ResponseHeaders(headers), ResponseHeaders(bare))


def _answer(request: HttpRequest, kept: Kept) -> HttpResponse:
    """The answer once more, or 304 for a reader who has it."""
    etag = kept.headers["ETag"]
    if "HTTP_IF_NONE_MATCH" in request.META and (
        request.META["HTTP_IF_NONE_MATCH"] == etag or get_conditional_response(request, etag)
    ):
        return _respond(304, b"", kept.bare)
    return _respond(200, kept.body, kept.headers)


def _respond(status: int, body: bytes, headers: ResponseHeaders) -> HttpResponse:
    """With those very headers: checking each again would be a third of all work, and nothing outside changes them."""
    answer = HttpResponse(body, content_type="", status=status)
    answer.headers = headers
    return answer
