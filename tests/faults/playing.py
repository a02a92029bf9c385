"""One submission from the first byte to the board, by people who try again when the site does not answer."""

import random
import string
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx

from demo.browser import Browser, UnexpectedAnswer, send_part
from tests.faults.people import MAINTAINER, TEAMS, Cast, team_name
from tests.scenarios.bundles import Predictions, draw_predictions, pack
from tests.scenarios.made_up import make_answers

BENCHMARK, SCOPE, SEEDS = "rehearsal", "low", 2
LOG = "2026-02-01T10:00:00Z step 1: reading the description\n2026-02-01T10:05:00Z step 2: wrote submission.csv\n"
# By turns: what share of the runs has a medal.
SKILLS = (
    ("bronze", 100.0),
    ({"spaceship-titanic": "bronze", "random-acts-of-pizza": "none"}, 50.0),
    ("none", 0.0),
)
GROUNDS = {
    "track": "no-private-lb",
    "reason": "As the test has it.",
    "rule": "docs/tracks.md",
    "evidence_url": "https://example.org/evidence",
}
PAUSE_S = 0.4
Answer = TypeVar("Answer")


class NotInTime(Exception):
    """The submission did not get where it should; says where it stands."""


@dataclass
class Played:
    """A submission and what must come of it. `medals`: percentage of runs with one."""

    number: int
    agent: str
    medals: float
    predictions: Predictions
    bundle: bytes
    public_id: str = ""
    began: float = field(default_factory=time.monotonic)
    ended: float = 0.0

    @property
    def seconds(self) -> float:
        return self.ended - self.began

    def accuracy(self, seed: str) -> float:
        """Of its spaceship-titanic run of the seed, counted here."""
        answers = make_answers("spaceship-titanic")
        rows = [row.split(",") for row in self.predictions[seed, "spaceship-titanic"].splitlines()[1:]]
        return round(sum(answers[key] == value for key, value in rows) / len(rows), 5)


def draw(number: int, extra: int = 0) -> Played:
    """Submission `number`: its own predictions, its own agent. `extra`: bytes of a log, to make it large."""
    skill, medals = SKILLS[number % len(SKILLS)]
    agent = f"Agent {number}"
    given: dict[str, Any] = {
        "skill": skill,
        "seeds": SEEDS,
        "card": {"scaffold.name": agent},
        "files": {
            "0/spaceship-titanic/logs/agent.log": LOG + "x\n" * (extra // 2),
            "0/spaceship-titanic/code/train.py": code_of(number),
        },
    }
    predictions = draw_predictions(given, f"faults {number}", {})
    return Played(number, agent, medals, predictions, pack(given, predictions, f"team {number}"))


def code_of(number: int) -> str:
    """A program like no other one's."""
    draw = random.Random(f"code {number}")
    names = ["".join(draw.choices(string.ascii_lowercase, k=6)) for _ in range(60)]
    return "\n".join(f"{name} = {draw.choice(names)}_{place} * {place}" for place, name in enumerate(names))


class Player:
    """Plays submissions on a site. Whoever it plays tries again for `patience_s` when nothing answers."""

    def __init__(self, url: str, cast: Cast, patience_s: float) -> None:
        self.url, self.cast, self.patience_s = url, cast, patience_s
        self._browsers: dict[str, Browser] = {}
        self._lock = threading.Lock()

    def play(self, number: int) -> Played:
        played = draw(number)
        self.upload(played)
        self.confirm(played)
        self.publish(played)
        return played

    def upload(self, played: Played) -> None:
        team = self._browser(team_name(played.number % TEAMS))
        played.began = time.monotonic()
        request = {
            "benchmark": BENCHMARK,
            "filename": "bundle.tar.gz",
            "size": len(played.bundle),
            "creation_key": str(uuid.uuid5(uuid.NAMESPACE_URL, f"faults {played.number}")),
        }
        made = self._try(lambda: team.api("POST", "/api/v1/submissions", json=request))
        played.public_id = str(made["id"])
        for part in made["upload"]["parts"]:
            start = (part["number"] - 1) * made["upload"]["part_size"]
            data, where = played.bundle[start : start + part["size"]], made["upload"]["addresses"]
            self._try(lambda a=where, p=part, d=data: send_part(team, a, p, d))
        self._try(lambda: team.api("POST", f"/api/v1/submissions/{played.public_id}/complete"))

    def confirm(self, played: Played) -> None:
        team, address = (
            self._browser(team_name(played.number % TEAMS)),
            f"/api/v1/submissions/{played.public_id}",
        )
        self.wait(played, "awaiting_team")
        card = self._try(lambda: team.api("GET", f"{address}/run-card"))
        said = {"scope": SCOPE, "attested_name": "Ada", "revision": card["number"], "accept": True}
        self._try(lambda: team.api("POST", f"{address}/confirm", json=said))

    def publish(self, played: Played) -> None:
        """Sends the form until the submission is published: a person looks before deciding twice."""
        judge = self._browser(MAINTAINER)
        self.wait(played, "in_review")

        def decide() -> bool:
            if self._status(played) != "published":
                judge.post_form(f"/docket/{played.public_id}/publish/", GROUNDS)
            return True

        self._try(decide)
        self.wait(played, "published")
        played.ended = time.monotonic()

    def wait(self, played: Played, status: str) -> None:
        """Raises NotInTime where it ends elsewhere, or takes too long."""
        deadline = time.monotonic() + self.patience_s
        while (now := self._try(lambda: self._status(played))) != status:
            if now in {"rejected", "grading_failed", "withdrawn", "abandoned"} or time.monotonic() > deadline:
                raise NotInTime(f"{played.agent} is {now}, not {status}")
            if status == "awaiting_team" and now in {"queued", "grading", "graded", "in_review", "published"}:
                return
            time.sleep(PAUSE_S)

    def _status(self, played: Played) -> str:
        team = self._browser(team_name(played.number % TEAMS))
        return str(team.api("GET", f"/api/v1/submissions/{played.public_id}")["status"])

    def _browser(self, name: str) -> Browser:
        """The person's own, signed in once."""
        with self._lock:
            if name not in self._browsers:
                browser = Browser(self.url, f"127.0.2.{len(self._browsers) + 1}")
                self._try(lambda: browser.sign_in(self.cast.email(name), self.cast.password))
                self._browsers[name] = browser
            return self._browsers[name]

    def _try(self, act: Callable[[], Answer]) -> Answer:
        """Again while the site is away or says that the fault is its own. A refusal is raised at once."""
        deadline = time.monotonic() + self.patience_s
        while True:
            try:
                return act()
            except httpx.TransportError as error:
                failure: Exception = error
            except UnexpectedAnswer as error:
                if not is_ours(str(error)):
                    raise
                failure = error
            if time.monotonic() > deadline:
                raise NotInTime(f"the site did not answer for {self.patience_s:.0f} s: {failure}")
            time.sleep(PAUSE_S)


def is_ours(words: str) -> bool:
    """Whether the answer was a 5xx, by the browser's own words."""
    return any(f"answered {code}" in words or f"HTTP {code}" in words for code in range(500, 508))
