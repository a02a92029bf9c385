"""Goes through the list of faults on one site."""

import argparse
import os
import traceback
from collections.abc import Callable

from celery import current_app

from tests.faults.lists import SHORT, WHOLE, Groups
from tests.faults.outcome import write_outcomes
from tests.faults.playing import Player
from tests.faults.services import Services
from tests.faults.site import fault_site
from tests.faults.trial import Trials
from tests.faults.watching import Watcher


class LeftOut(Exception):
    """A group cannot be tried here."""


# Nobody here gives up before; it stops a hang and is no measure of speed.
PATIENCE_S = 300.0
PORTS = {"files": 8760, "services": 8780, "redis": 8800}


def run_groups(arguments: argparse.Namespace, services: Services, tell: Callable[[str], None]) -> int:
    """1 where a group did not come to its end, or saw something that no line of the table says."""
    current_app.loader.import_default_modules()  # All of one moment, also where somebody works on them meanwhile.
    port, code = PORTS[arguments.site], 0
    with fault_site(arguments.place, port, services, tell) as site, Watcher(site.url) as watcher:
        player = Player(site.url, site.cast, PATIENCE_S)
        trials = Trials(arguments.site, site, services, player, watcher, tell)
        for name, group in groups_for(arguments, tell):
            tell(f"[bold]{name}[/]")
            try:
                group(trials)
            except Exception:
                tell(traceback.format_exc())
                site.clear()
                code = 1
            write_outcomes(arguments.place / "outcomes.json", trials.outcomes)
    return code


def leave_out(name: str, why: str, tell: Callable[[str], None]) -> None:
    """Says so. Raises LeftOut where nothing may be missing."""
    if os.environ.get("REQUIRE_ALL"):
        raise LeftOut(f"Nothing may be left out while REQUIRE_ALL is set, and {name} {why}.")
    tell(f"left out: {name}, which {why}")


def groups_for(arguments: argparse.Namespace, tell: Callable[[str], None]) -> Groups:
    """Those that were asked for and can be had here."""
    for name, group in (SHORT if arguments.quick else WHOLE)[arguments.site]():
        if arguments.only and not any(word in name for word in arguments.only):
            continue
        if name.startswith("disk full") and not arguments.has_small_stores:
            leave_out(name, "needs root", tell)
            continue
        yield name, group
