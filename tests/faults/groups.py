"""The list of faults by kind of site: which are tried in a quick run, and which in a whole one."""

import argparse
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from celery import current_app

from grading.fault_points import declared_points
from tests.faults.ending import asked_to_end, deploy
from tests.faults.machine import (
    DATABASE_STEPS,
    broker_away,
    clock_ahead,
    clock_back,
    database_killed,
    disk_full,
)
from tests.faults.messages import late, never, poison, twice
from tests.faults.outcome import write_outcomes
from tests.faults.places import QUICK, STEPS, rounds
from tests.faults.playing import Player
from tests.faults.servers import Services
from tests.faults.site import fault_site
from tests.faults.trial import Trials, act_at
from tests.faults.watching import Watcher

Group = Callable[[Trials], None]
# Nobody here gives up before; it stops a hang and is no measure of speed.
PATIENCE_S = 300.0
PORTS = {"files": 8760, "services": 8780}


def run_groups(arguments: argparse.Namespace, services: Services, tell: Callable[[str], None]) -> int:
    """1 where a group did not come to its end, or saw something that no line of the table says."""
    port, code = PORTS[arguments.site], 0
    with fault_site(arguments.place, port, tell) as site, Watcher(site.url) as watcher:
        player = Player(site.url, site.cast, PATIENCE_S)
        trials = Trials(arguments.site, site, services, player, watcher, tell)
        for name, group in groups_of(services, arguments.quick, arguments.has_small_stores):
            if not arguments.only or any(word in name for word in arguments.only):
                tell(f"[bold]{name}[/]")
                try:
                    group(trials)
                except Exception:
                    tell(traceback.format_exc())
                    code = 1
                write_outcomes(arguments.place / "outcomes.json", trials.outcomes)
        if arguments.site == "files" and not arguments.has_small_stores:
            tell("left out: the full disk, which needs root")
    return code


def groups_of(services: Services, is_quick: bool, has_small_stores: bool) -> Iterator[tuple[str, Group]]:
    """Names and functions. The site of files is that of the quick start, the other that of production."""
    is_production = services.database is not None
    yield "untroubled", untroubled
    if is_quick:
        yield from _quick_groups(is_production)
        return
    for number, steps in enumerate(rounds(), 1):
        yield f"kill {number}", partial(killed, steps=steps)
    yield "messages twice", twice
    yield "messages never", never
    yield "messages poison", poison
    yield "late result", late
    yield "asked to end", asked_to_end
    if is_production:
        for number, steps in enumerate(DATABASE_STEPS, 1):
            yield f"database {number}", partial(database_killed, steps=steps)
        yield "broker", partial(broker_away, seconds=60)
    else:
        yield "clock ahead", clock_ahead
        yield "clock back", clock_back
        if has_small_stores:
            yield "disk full", disk_full
    yield "deploy", deploy


def _quick_groups(is_production: bool) -> Iterator[tuple[str, Group]]:
    if is_production:
        yield "database", partial(database_killed, steps=DATABASE_STEPS[1])
        yield "broker", partial(broker_away, seconds=10)
        return
    yield "kill", partial(killed, steps=QUICK)
    yield "messages twice", twice
    yield "messages poison", poison
    yield "asked to end", asked_to_end


def killed(trials: Trials, steps: Sequence[str]) -> None:
    """Each of the steps is the last that its process reaches."""
    act_at(trials, "SIGKILL", trials.site.kill, steps)


def untroubled(trials: Trials) -> None:
    """Nothing goes wrong, and every declared step is reached; none is that this list does not know."""
    began = time.monotonic()
    played = trials.play()
    trials.judge(played, "none", ["(nothing)"], began)
    current_app.loader.import_default_modules()
    known, declared, reached = set(STEPS), set(declared_points()), trials.site.reached()
    if known != declared or known - reached:
        raise AssertionError(
            f"unknown {declared - known}, gone {known - declared}, never reached {known - reached}"
        )
