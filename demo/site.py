"""The demo's own site: prepared, with the demo's answers and people, and running while the demo does."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from demo.accounts import create_accounts
from demo.logins import demo_logins
from demo.split import read_split, write_split
from leaderboard.launcher.prepare import prepare
from leaderboard.launcher.site import build_supervisor, hold_site, listen, url_of, wait_until_ready
from leaderboard.launcher.supervisor import Supervisor


@dataclass(frozen=True)
class RunningSite:
    """A started site: where it answers, and where its files are."""

    url: str
    var: Path
    keeper: threading.Thread

    def wait(self) -> None:
        """Returns when the site ends; Ctrl-C arrives here as KeyboardInterrupt."""
        while self.keeper.is_alive():
            self.keeper.join(1)


@contextmanager
def prepared_site(wanted_port: int, tell: Callable[[str], None]) -> Iterator[RunningSite]:
    """Prepares what is not there yet, starts the site, and stops all of it at the end."""
    with hold_site():
        prepare(lambda title: tell(f"Preparing: {title}"))
        tell("Preparing: answers of Spaceship Titanic, into the vault")
        load_demo_answers()
        create_accounts(demo_logins(settings.VAR_DIR))
        with started(wanted_port, tell) as site:
            yield site


def load_demo_answers() -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_split(read_split(), Path(folder))
        call_command("load_answers", "--from", folder, "--only", "spaceship-titanic", verbosity=0)


@contextmanager
def started(wanted_port: int, tell: Callable[[str], None]) -> Iterator[RunningSite]:
    """All processes of a site that is prepared and held."""
    with listen(wanted_port) as listener:
        url = url_of(listener)
        tell(f"Starting web server and workers at {url}")
        with kept_running(build_supervisor(listener), tell) as keeper:
            wait_until_ready(url)
            yield RunningSite(url, settings.VAR_DIR, keeper)


@contextmanager
def kept_running(supervisor: Supervisor, tell: Callable[[str], None]) -> Iterator[threading.Thread]:
    done = threading.Event()

    def keep() -> None:
        while not done.wait(0.3):
            supervisor.check(time.monotonic())

    keeper = threading.Thread(target=keep, daemon=True)
    supervisor.start()
    keeper.start()
    try:
        yield keeper
    finally:
        done.set()
        keeper.join()
        supervisor.stop()
        tell("Stopped")  # Last: where nobody reads any more, telling fails.
