"""What the machine may do to a site: a clock that jumps, a full disk, a database or a broker that dies."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from tests.faults.places import steps_on
from tests.faults.servers import Server
from tests.faults.site import wait_for
from tests.faults.trial import GRACE_S, Trials, act_at

HOUR_S = 3600
FULL_FOR_S = 6.0
FILLER = "filler"
# Of each process one step before, inside and behind what it writes.
DATABASE_STEPS = (
    (
        "part_stored",
        "parts_announced",
        "intake_claimed",
        "grading_claimed",
        "evidence_read",
        "grading_asked",
        "decision_written",
    ),
    (
        "confirmation_written",
        "runs_written",
        "result_reached",
        "entry_created",
        "receipts_signed",
        "published",
    ),
    ("snapshot_switched", "files_stored", "result_recorded", "findings_raised", "checkpoint_recorded"),
)


def clock_ahead(trials: Trials) -> None:
    """While submissions live the clock jumps an hour ahead, and stays there."""

    def jump() -> None:
        time.sleep(3)
        set_clock(trials, HOUR_S)

    trials.run("clock jumps an hour ahead", ["(clock)"], jump)


def clock_back(trials: Trials) -> None:
    """Of each kind of claim one, each in lives of its own."""
    clock_back_at(trials, ("intake_claimed",))
    clock_back_at(trials, ("reading_claimed", "grading_claimed"))


def clock_back_at(trials: Trials, steps: Sequence[str]) -> None:
    """Whoever works there is killed, and the clock is put back by an hour: leases now end in an hour."""

    def back_and_kill(process: str) -> None:
        set_clock(trials, 0)
        trials.site.kill(process)

    set_clock(trials, HOUR_S)
    act_at(trials, "clock back by an hour, SIGKILL", back_and_kill, steps)


def set_clock(trials: Trials, ahead_s: float) -> None:
    draft = trials.site.folder / "clock.draft"
    draft.write_text(str(ahead_s))
    draft.rename(trials.site.folder / "clock")


def disk_full(trials: Trials, name: str) -> None:
    """The store is really full for a while, in which a submission wants to put something there."""

    def fill_for_a_while() -> None:
        with full(settings.VAR_DIR / name):
            time.sleep(FULL_FOR_S)

    trials.run(f"{name} full for {FULL_FOR_S:.0f} s", [f"({name})"], fill_for_a_while)


@contextmanager
def full(folder: Path) -> Iterator[None]:
    filler = folder / FILLER
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 4096)
    try:
        yield
    finally:
        filler.unlink()


def database_killed(trials: Trials, steps: Sequence[str]) -> None:
    database = trials.services.database
    assert database, "asked only of a site with one"
    here = steps_on(trials.services.store is not None, steps)
    act_at(trials, "database killed", lambda process: _restart(database), here)


def _restart(server: Server) -> None:
    server.kill()
    time.sleep(1)
    server.start()


def broker_away(trials: Trials, seconds: float) -> None:
    broker = trials.services.broker
    assert broker, "asked only of a site with one"

    def go_and_come() -> None:
        time.sleep(1)
        broker.kill()
        time.sleep(seconds)
        broker.start()

    trials.run(f"broker away for {seconds:.0f} s", ["(broker)"], go_and_come)
    if not wait_for(trials.site.is_up, GRACE_S):
        raise AssertionError("a worker did not come back")
