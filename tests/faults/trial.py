"""One trial: something goes wrong while submissions live; then what was promised is looked up."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from celery import current_app
from django.db import close_old_connections

from demo.browser import UnexpectedAnswer
from tests.faults.outcome import Outcome
from tests.faults.playing import NotInTime, Played, Player, draw
from tests.faults.promises import accepted_per_run, broken_promises, is_settled, orphans
from tests.faults.services import Services
from tests.faults.site import FaultSite, wait_for
from tests.faults.watching import Watcher

# Leases of the site are a few seconds. The rest is for pauses between attempts and for starting processes again, on a
# machine that may be busy with other things.
LEASE_S, GRACE_S = 4.0, 240.0
Action = Callable[[str], None]


@dataclass
class Trials:
    """A site with those who use it and watch it, and the outcomes so far."""

    name: str
    site: FaultSite
    services: Services
    player: Player
    watcher: Watcher
    tell: Callable[[str], None]
    outcomes: list[Outcome] = field(default_factory=list)
    numbers: "count[int]" = field(default_factory=count)

    def play(self, how_many: int = 2) -> list[Played]:
        """New submissions at the same time, each to the board. Raises NotInTime."""
        with ThreadPoolExecutor(how_many) as pool:
            return list(pool.map(self._play, [next(self.numbers) for _ in range(how_many)]))

    def _play(self, number: int) -> Played:
        self.watcher.expect(draw(number))
        try:
            return self.player.play(number)
        finally:
            close_old_connections()

    def run(self, fault: str, steps: Sequence[str], during: Callable[[], None] = lambda: None) -> None:
        """Plays submissions while `during` runs beside them, and judges what came of it under these names.

        The seconds count from the end of that.
        """
        played, words, since = [], "", [time.monotonic()]

        def run_and_note() -> None:
            during()
            since.append(time.monotonic())

        meanwhile = threading.Thread(target=run_and_note, daemon=True)
        meanwhile.start()
        try:
            played = self.play()
        except (NotInTime, UnexpectedAnswer) as late:
            words = str(late)
        meanwhile.join()
        self.judge(played, fault, steps, since[-1], words)

    def judge(
        self, played: list[Played], fault: str, steps: Sequence[str], since: float, words: str = ""
    ) -> None:
        """An outcome for each step; all share what was seen. `since`: the moment of the last fault."""
        close_old_connections()
        settled = not played or wait_for(lambda: is_settled(played), GRACE_S)
        seconds = max(time.monotonic(), *(each.ended for each in played), since) - since
        found = [words] if words else []
        found += [] if settled else ["not settled in time"]
        found += broken_promises(played)
        lost = self.orphans_for_good()
        found += [f"orphan {key}" for key in lost[:3]] + self.watcher.wrong[:3]
        found += [f"took {seconds:.0f} s"] if seconds > LEASE_S + GRACE_S else []
        graded, wrong = accepted_per_run(played), len(self.watcher.wrong)
        for step in steps:
            outcome = Outcome(self.name, step, fault, seconds, graded, len(lost), wrong, "; ".join(found))
            self.outcomes.append(outcome)
            self.tell(f"{step}: {fault}: {seconds:.1f} s, {outcome.words or 'as promised'}")
        self.watcher.wrong.clear()

    def orphans_for_good(self) -> list[str]:
        """What is still there once intake, here rung by hand, has tidied up.

        One moment without any is enough: copies that somebody is reading come and go.
        """
        if not orphans():
            return []
        current_app.send_task("submissions.tasks.tidy_intake", queue="intake")
        return [] if wait_for(lambda: not orphans(), GRACE_S) else orphans()


@contextmanager
def acting(site: FaultSite, action: Action) -> Iterator[dict[str, float]]:
    """While it lasts, the action is done to whoever is held at a step, who goes on then. Yields when that was."""
    done_at: dict[str, float] = {}
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            for step, process in site.held().items():
                action(process)
                site.let_go(step)
                done_at[step] = time.monotonic()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield done_at
    finally:
        over.set()
        watcher.join()


def act_at(trials: Trials, fault: str, action: Action, steps: Sequence[str]) -> None:
    """Submissions in whose life the action is done once at each of the steps."""
    for step in steps:
        trials.site.arm(step, "hold")
    played, words = [], ""
    with acting(trials.site, action) as done_at:
        try:
            played = trials.play()
            wait_for(lambda: set(done_at) >= set(steps), GRACE_S)
        except (NotInTime, UnexpectedAnswer) as late:
            words = str(late)
    left = trials.site.clear()
    if left and not words:
        words = f"never reached: {', '.join(left)}"
    trials.judge(played, fault, steps, max(done_at.values(), default=time.monotonic()), words)
