"""Public answers as they went out, kept in memory for whoever asks the same while the boards stay as they are."""

import gzip
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import ResponseHeaders
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

from leaderboard.boards import known_boards
from leaderboard.kept import Shelf

# What a request says of itself, by the names of WSGI.
Environ = Mapping[str, Any]
Pairs = Sequence[tuple[str, str]]
MEMORY_BYTES = 32 * 2**20
# Longer words are somebody's play. They are answered, but not kept.
LONGEST_ADDRESS, LONGEST_ACCEPT, LONGEST_OTHERS = 500, 300, 500
# Of the body, which a 304 does not have; and of the asker, whom the next one is not.
OF_BODY = frozenset({"content-type", "content-length", "content-encoding", "content-language"})
OF_ASKER = frozenset({"ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy"})
# How the site was addressed, which addresses in the answer follow (a proxy says the scheme in its own header), and what
# htmx says that views of kept answers ask for (`board._part`).
OTHERS = (
    "SCRIPT_NAME", "HTTP_HOST", "HTTP_X_FORWARDED_PROTO", "wsgi.url_scheme",
    "HTTP_HX_REQUEST", "HTTP_HX_HISTORY_RESTORE_REQUEST", "HTTP_HX_TRIGGER", "HTTP_HX_TRIGGER_URI_AUTOENCODED",
)  # fmt: skip
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
# What a reader narrowed is sent once or twice: a fifth more bytes for less than half the time.
GZIP_LEVEL, GZIP_LEVEL_NARROWED = 6, 3
SMALLEST_GZIP = 500


@dataclass(frozen=True)
class Kept:
    """An answer, and the state of the boards that it holds for. `bare`: the headers of a 304."""

    state: str
    body: bytes
    etag: str
    headers: Pairs
    bare: Pairs

    @property
    def weight(self) -> int:
        return len(self.body) + 3_000

    def answer(self, has: str) -> tuple[int, bytes, Pairs]:
        """Status, body and headers of the answer once more, or of a 304. `has`: what the reader says it has."""
        if has and (has == self.etag or _is_among(self.etag, has)):
            return 304, b"", self.bare
        return 200, self.body, self.headers


_kept: Shelf[Kept] = Shelf(MEMORY_BYTES, lambda kept: kept.weight)


def keep(response: HttpResponse, state: str) -> None:
    """Says of an answer that it has an ETag and depends on nothing but address, `Accept`, htmx and these boards."""
    response.kept_for = state  # type: ignore[attr-defined]


def forget() -> None:
    """Nothing is kept any more; for tests, whose boards may be told apart by nothing."""
    _kept.clear()


def find_kept(environ: Environ, state: str) -> Kept | None:
    """The answer to such a request, if it was made of this state of the boards."""
    return _find(_key(environ), state)


def _find(key: Hashable | None, state: str) -> Kept | None:
    kept = _kept.get(key) if key else None
    return kept if kept is not None and kept.state == state else None


class KeptAnswers:
    """Outside all middleware but what counts and logs: what is kept has been through it, and carries its headers.

    Whoever asks for it costs next to nothing, so that no throttle counts it. Most are answered before Django looks
    at them (kept_first.py); those remain that come when the boards have to be looked at again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key = _key(request.META)
        # Which state is current is asked where something may be kept alone.
        if key in _kept and (kept := _find(key, known_boards().state)):
            return _respond(*kept.answer(request.META.get("HTTP_IF_NONE_MATCH", "")))
        response = self.get_response(request)
        state = getattr(response, "kept_for", None)
        if state is None:
            return response
        _compress(request, response)
        if key and _is_for_everybody(response):
            _kept.put(key, _take(response, state))
        return response


def _key(environ: Environ) -> Hashable | None:
    """All that the answer depends on beside the boards; None where it is not to be kept."""
    say = environ.get
    accept, path, query = say("HTTP_ACCEPT", ""), say("PATH_INFO", ""), say("QUERY_STRING", "")
    if environ["REQUEST_METHOD"] != "GET" or say("CONTENT_LENGTH") not in (None, "", "0"):
        return None
    if len(path) + len(query) > LONGEST_ADDRESS or len(accept) > LONGEST_ACCEPT:
        return None
    others = [say(name, "") for name in OTHERS]
    if sum(map(len, others)) > LONGEST_OTHERS:
        return None
    return (path, query, accept, _takes_gzip(say("HTTP_ACCEPT_ENCODING", "")), *others)


@lru_cache(maxsize=2**10)
def _takes_gzip(accepted: str) -> bool:
    return GZIP.search(accepted) is not None


def _is_among(etag: str, has: str) -> bool:
    """Whether the ETag is one of those, or all are; weak or strong is all the same for a 304 (RFC 9110, 13.1.2)."""
    known = {each.removeprefix("W/") for each in parse_etags(has)}
    return "*" in known or etag.removeprefix("W/") in known


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
    if not _takes_gzip(request.META.get("HTTP_ACCEPT_ENCODING", "")) or len(response.content) < SMALLEST_GZIP:
        return
    # Without a time, so that the same answer has the same bytes.
    level = GZIP_LEVEL_NARROWED if request.META.get("QUERY_STRING") else GZIP_LEVEL
    response.content = gzip.compress(response.content, level, mtime=0)
    response["Content-Encoding"] = "gzip"
    response["Content-Length"] = str(len(response.content))
    if "ETag" in response:
        response["ETag"] = f"W/{response['ETag'].removeprefix('W/')}"


def _take(response: HttpResponse, state: str) -> Kept:
    headers = [pair for pair in response.items() if pair[0].lower() not in OF_ASKER]
    bare = [pair for pair in headers if pair[0].lower() not in OF_BODY]
    return Kept(state, response.content, response["ETag"], headers, bare)


def _respond(status: int, body: bytes, headers: Pairs) -> HttpResponse:
    answer = HttpResponse(body, content_type="", status=status)
    answer.headers = ResponseHeaders(dict(headers))
    return answer
