"""A real site of its own whose processes can be held at a step, killed, and left to come back by themselves."""

import contextlib
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from demo.site import kept_running
from leaderboard.launcher.prepare import prepare
from leaderboard.launcher.site import (
    NotStarted,
    build_supervisor,
    hold_site,
    listen,
    url_of,
    wait_until_ready,
)
from leaderboard.launcher.supervisor import Supervisor
from leaderboard.roles.apply import apply_roles
from tests.databases import begin_migrated
from tests.faults.people import Cast, create_cast
from tests.faults.servers import descendants
from tests.faults.services import PREFIX, Services, own_environment
from tests.scenarios.made_up import COMPETITIONS, write_answers

PATIENT_TIMES = 5
KINDS = ("armed", "taken", "held", "reached")


@dataclass
class FaultSite:
    """A running site. `folder`: by which its steps are armed."""

    url: str
    supervisor: Supervisor
    folder: Path
    cast: Cast
    told: list[str] = field(default_factory=list)

    def arm(self, step: str, word: str) -> None:
        """What happens the next time any process reaches the step: hold, kill, fail or full."""
        draft = self.folder / f"{step}.draft"
        draft.write_text(word)
        draft.rename(self.folder / "armed" / step)

    def held(self) -> dict[str, str]:
        """Steps at which a process waits, and which process that is."""
        return {path.name: path.read_text() for path in (self.folder / "held").iterdir() if not path.suffix}

    def let_go(self, step: str) -> None:
        (self.folder / "held" / step).unlink(missing_ok=True)

    def clear(self) -> list[str]:
        """The steps that were armed and that nobody has reached; none is armed any more."""
        left = sorted(path.name for path in (self.folder / "armed").iterdir())
        for kind in ("armed", "held"):
            for path in (self.folder / kind).iterdir():
                path.unlink(missing_ok=True)
        return left

    def reached(self) -> set[str]:
        return {path.name for path in (self.folder / "reached").iterdir()}

    def signal(self, name: str, number: signal.Signals) -> None:
        """To a process of the site. All but SIGTERM, which it passes on itself, goes to all that it has started too."""
        child = next(child for child in self.supervisor.children if child.name == name)
        process = child.process
        if process is None:
            return
        # Some lead sessions of their own.
        others = [] if number == signal.SIGTERM else descendants(process.pid)
        for each in (process.pid, *others):
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, number)

    def kill(self, name: str) -> None:
        self.signal(name, signal.SIGKILL)

    def is_up(self) -> bool:
        return all(child.process and child.process.poll() is None for child in self.supervisor.children)


@contextmanager
def fault_site(
    place: Path, wanted_port: int, services: Services, tell: Callable[[str], None]
) -> Iterator[FaultSite]:
    """Prepares, starts, yields and stops it."""
    folder = Path(os.environ["MLEB_FAULTS"])
    for kind in KINDS:
        (folder / kind).mkdir(parents=True, exist_ok=True)
    with hold_site(), listen(wanted_port) as listener:
        tell("preparing a site")
        begin_migrated(settings.VAR_DIR)
        prepare(lambda title: None)
        write_answers(place / "answers")
        call_command("load_answers", "--from", place / "answers", "--only", *COMPETITIONS, verbosity=0)
        shutil.rmtree(place / "answers")
        if services.database:
            apply_roles(PREFIX, {})
        site = FaultSite(url_of(listener), build_supervisor(listener), folder, create_cast())
        for child in site.supervisor.children:
            child.environment = own_environment(child.environment, services.told(child.name))
        site.supervisor.tell = site.told.append
        tell(f"starting it at {site.url}")
        with kept_running(site.supervisor, lambda line: None):
            _wait_until_ready(site.url)
            yield site


def _wait_until_ready(url: str) -> None:
    """On a machine that does other things as well it may take several times as long as the launcher waits."""
    for _ in range(PATIENT_TIMES):
        with contextlib.suppress(NotStarted):
            return wait_until_ready(url)
    return wait_until_ready(url)


def wait_for(condition: Callable[[], bool], within_s: float, pause_s: float = 0.1) -> bool:
    """Whether it became true in time."""
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause_s)
    return True
