"""Requests to one site: retried where that is harmless, errors turned into what the user reads."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from .errors import ClientError, Exit, Fault, NotSignedIn, Refused, Unreachable
from .settings import origin_of, require_safe
from .version import VERSION

TIMEOUT = httpx.Timeout(60, connect=15)
BUSY = frozenset({429, 502, 503, 504})
LONGEST_PAUSE_S = 30.0
LONGEST_ASKED_PAUSE_S = 120.0
SIGN_IN = (
    "Make a token on your account page of {site}, then run `mlebench-leaderboard login --url {site}` "
    "or set MLEB_TOKEN."
)


@dataclass(frozen=True)
class Patience:
    """How often a request is tried, and how long between. `sleep` is replaced in tests."""

    tries: int = 6
    first_pause_s: float = 0.5
    sleep: Callable[[float], None] = time.sleep

    def pause(self, failures: int, asked_s: float | None = None) -> None:
        """Waits longer after each failure, a little at random, or as long as the server asked for."""
        doubled = min(self.first_pause_s * 2.0 ** (failures - 1), LONGEST_PAUSE_S)
        self.sleep(asked_s if asked_s is not None else doubled * random.uniform(0.75, 1.25))  # noqa: S311


class Session:
    """A site, spoken to as one person or as nobody. May be used by several threads."""

    def __init__(
        self,
        site: str,
        token: str | None = None,
        *,
        patience: Patience | None = None,
        transport: httpx.BaseTransport | None = None,
        agent: str = f"mlebench-leaderboard/{VERSION}",
    ) -> None:
        self.site = origin_of(site)
        self.token = token
        self.patience = patience or Patience()
        if token:
            require_safe(self.site)
        # The token is added request by request: parts may have to go to another place, which must not see it.
        self._http = httpx.Client(timeout=TIMEOUT, transport=transport, headers={"User-Agent": agent})

    def close(self) -> None:
        self._http.close()

    def url(self, path: str) -> str:
        return urljoin(self.site, path)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def request(self, method: str, path: str, *, again: bool = True, **options: Any) -> httpx.Response:
        """A good answer. `again`: doing it twice is harmless, so it is retried. Raises ClientError for any other."""
        failures = 0
        while True:
            try:
                answer = self.send(method, path, **options)
                if not again or not is_worth_waiting(answer):
                    return self.accept(answer)
                reason = f"it answered {answer.status_code}"
            except httpx.TransportError as error:
                answer, reason = None, describe(error)
            failures += 1
            if failures >= (self.patience.tries if again else 1):
                if answer is not None:
                    return self.accept(answer)
                raise Unreachable(f"{self.site} could not be reached: {reason}. Try again later.")
            self.patience.pause(failures, asked_pause(answer))

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        """One try, whatever comes back. The token goes to the site itself and nowhere else."""
        url = self.url(path)
        headers = dict(options.pop("headers", {}))
        if self.token and origin_of(url) == self.site:
            headers["Authorization"] = f"Token {self.token}"
        return self._http.request(method, url, headers=headers, **options)

    def accept(self, answer: httpx.Response) -> httpx.Response:
        """The answer if it is a good one; else the exception that says what to do."""
        if answer.is_success or answer.status_code == 304:
            return answer
        if answer.is_redirect:
            raise ClientError(
                f"{self.site} redirects to {answer.headers.get('Location', 'elsewhere')}. "
                "Give the address of the site itself with --url."
            )
        raise self._explain(answer)

    def _explain(self, answer: httpx.Response) -> ClientError:
        detail, faults = read_problem(answer)
        status = answer.status_code
        if status == 401:
            said = "The token is not valid, or no longer." if self.token else "This needs a token."
            return NotSignedIn(f"{said} {SIGN_IN.format(site=self.site)}", status, faults)
        if status == 429:
            wait = asked_pause(answer)
            when = f" Try again in {wait:.0f} seconds." if wait is not None else ""
            return Refused(f"{detail}{when}", status, faults)
        if status >= 500:
            return Broken(f"{self.site} answered {status}: {detail} Try again later.", status, faults)
        return Refused(detail, status, faults)


def path_of(url: str) -> str:
    """Path and query of an address."""
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


class Broken(Refused):
    """The server failed; nobody here can mend it."""

    exit_code = Exit.UNREACHABLE


def read_problem(answer: httpx.Response) -> tuple[str, tuple[Fault, ...]]:
    """The sentence and the reasons of a problem+json answer; something readable for any other."""
    try:
        body = answer.json()
        faults = tuple(read_faults(body.get("errors", ())))
        return str(body["detail"]), faults
    except (ValueError, KeyError, AttributeError, TypeError):
        return f"the site answered {answer.status_code} {answer.reason_phrase}.", ()


def read_faults(items: Any) -> list[Fault]:
    """The `errors` or `problems` of an answer."""
    return [Fault(str(item["code"]), str(item["where"]), str(item["message"])) for item in items]


def asked_pause(answer: httpx.Response | None) -> float | None:
    """Seconds the server asked to wait; None where it did not say."""
    asked = answer.headers.get("Retry-After", "") if answer is not None else ""
    return float(asked) if asked.isascii() and asked.isdigit() else None


def is_worth_waiting(answer: httpx.Response) -> bool:
    """Whether the server is only busy, and for no longer than anybody waits at a terminal."""
    return answer.status_code in BUSY and (asked_pause(answer) or 0.0) <= LONGEST_ASKED_PAUSE_S


def describe(error: httpx.TransportError) -> str:
    """What happened to the connection, in words."""
    words: Mapping[type[httpx.TransportError], str] = {
        httpx.ConnectTimeout: "no connection within 15 seconds",
        httpx.TimeoutException: "it went silent",
        httpx.ConnectError: "no connection",
        httpx.NetworkError: "the connection broke",
        httpx.RemoteProtocolError: "the connection broke",
    }
    said = next((words for kind, words in words.items() if isinstance(error, kind)), "the connection failed")
    return f"{said} ({error})" if str(error) else said
