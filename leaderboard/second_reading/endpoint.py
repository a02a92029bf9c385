"""One call of an OpenAI-compatible chat endpoint. Goes where it was told to and nowhere else."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from leaderboard.second_reading.prompt import MAX_ANSWER_TOKENS, Messages

MAX_BYTES: Final = 2**20
LONGEST_WAIT_S: Final = 60.0
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
FOR_LATER: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


class EndpointError(Exception):
    """No answer is to be had. Its text is for maintainers: never a key, never what the endpoint sent."""


class _Later(Exception):
    """It may go better in a while. `wait_s`: as the endpoint asks, else 0."""

    def __init__(self, reason: str, wait_s: float = 0.0) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


@dataclass(frozen=True)
class Endpoint:
    """`url`: up to and without /chat/completions. `timeout_s`: for one call as a whole."""

    url: str
    llm: str
    key: str = field(repr=False)
    timeout_s: float
    retries: int
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True)
class Reply:
    """What the llm said, and the tokens of question and answer as the endpoint counts them (None: it does not)."""

    text: str
    tokens: int | None


def require_sound(endpoint: Endpoint) -> None:
    """Raises EndpointError for an address that must not be asked: it would carry evidence in the clear."""
    try:
        parts = urlsplit(endpoint.url)
    except ValueError:
        raise EndpointError("MLEB_SECOND_READING_URL is no address.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise EndpointError("MLEB_SECOND_READING_URL is no http or https address.")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise EndpointError("MLEB_SECOND_READING_URL is http: use https, except on this machine.")
    if not endpoint.llm:
        raise EndpointError("MLEB_SECOND_READING_LLM names no llm.")


def ask(endpoint: Endpoint, messages: Messages) -> Reply:
    """The reply, after at most `retries` further attempts with growing waits. Raises EndpointError."""
    for attempt in range(endpoint.retries + 1):
        try:
            return _ask_once(endpoint, messages)
        except _Later as later:
            reason = str(later)
            if attempt < endpoint.retries:
                endpoint.sleep(min(max(later.wait_s, 2.0**attempt), LONGEST_WAIT_S))
    raise EndpointError(f"{reason}, {endpoint.retries + 1} times")


def _ask_once(endpoint: Endpoint, messages: Messages) -> Reply:
    body = {
        "model": endpoint.llm,
        "messages": messages,
        "temperature": 0,
        "max_tokens": MAX_ANSWER_TOKENS,
        "stream": False,
    }
    # Uncompressed, so that the limit on its size is one on memory.
    headers = {"Accept-Encoding": "identity"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    url = endpoint.url.rstrip("/") + "/chat/completions"
    try:
        # Without the environment's proxies and .netrc, and without redirects: one declared place.
        with (
            httpx.Client(timeout=endpoint.timeout_s, trust_env=False, follow_redirects=False) as client,
            client.stream("POST", url, json=body, headers=headers) as response,
        ):
            _require_ok(response)
            content = _read_all(response, endpoint)
    except httpx.TimeoutException:
        raise _Later("The endpoint was too slow") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise _Later(f"The endpoint could not be reached ({type(error).__name__})") from None
    return _reply(content)


def _require_ok(response: httpx.Response) -> None:
    status = response.status_code
    if status in FOR_LATER:
        raise _Later(f"The endpoint answered {status}", _wait_asked(response))
    if status != httpx.codes.OK:
        raise EndpointError(f"The endpoint answered {status}")


def _wait_asked(response: httpx.Response) -> float:
    seconds = response.headers.get("Retry-After", "")
    return float(seconds) if seconds.isascii() and seconds.isdigit() and len(seconds) < 6 else 0.0


def _read_all(response: httpx.Response, endpoint: Endpoint) -> bytes:
    """The body, if it is not too large and does not drip in: httpx limits the wait for each piece alone."""
    ends, content = endpoint.clock() + endpoint.timeout_s, bytearray()
    # As it comes: pieces of a size would be waited for.
    for piece in response.iter_raw():
        content += piece
        if len(content) > MAX_BYTES:
            raise EndpointError("The endpoint's answer is larger than 1 MiB")
        if endpoint.clock() > ends:
            raise _Later("The endpoint was too slow")
    return bytes(content)


def _reply(content: bytes) -> Reply:
    try:
        document = json.loads(content)
        text = document["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise _Later("The endpoint's answer is not of the chat protocol") from None
    if not isinstance(text, str):
        raise _Later("The endpoint's answer holds no text")
    return Reply(text, _tokens(document.get("usage")))


def _tokens(usage: Any) -> int | None:
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if type(total) is int and 0 <= total < 10**9 else None
