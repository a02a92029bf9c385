"""Reading the public board all the time: no number on it may ever be wrong, whatever else goes wrong."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

import httpx

from tests.faults.playing import BENCHMARK, SCOPE, Played

EVERY_S = 0.2
ALLOWED_AWAY = (502, 503, 504, 500)


@dataclass
class Watcher:
    """What was seen on the board so far. `expected`: agents that may be on it, with their medals."""

    url: str
    expected: dict[str, Played] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    answers: int = 0
    silent: int = 0
    faulty: int = 0

    def __post_init__(self) -> None:
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Watcher":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def expect(self, played: Played) -> None:
        self.expected[played.agent] = played

    def _watch(self) -> None:
        with httpx.Client(base_url=self.url, timeout=30) as http:
            while not self._done.wait(EVERY_S):
                self._look(http)

    def _look(self, http: httpx.Client) -> None:
        try:
            answer = http.get("/api/v1/rankings/all", params={"benchmark": BENCHMARK, "split": SCOPE})
        except httpx.TransportError:
            self.silent += 1
            return
        if answer.status_code >= 500:
            self.faulty += 1
        elif answer.status_code == 200:
            self.answers += 1
            self._compare({row["agent"]: row["result"] for row in answer.json()["rows"]})
        elif answer.status_code != 404:  # Before the first entry there is no board.
            self.wrong.append(f"the board answered {answer.status_code}")

    def _compare(self, rows: Mapping[str, Mapping[str, float]]) -> None:
        for agent, result in rows.items():
            played = self.expected.get(agent)
            if played is None:
                self._note(f"{agent} is on the board and was never published")
            elif abs(result["any_medal_mean"] - played.medals) > 1e-9:
                self._note(f"{agent} shows {result['any_medal_mean']}, not {played.medals}")
        if gone := self.seen - set(rows):
            self._note(f"{', '.join(sorted(gone))} left the board")
        self.seen |= set(rows)

    def _note(self, words: str) -> None:
        if words not in self.wrong:
            self.wrong.append(words)
