"""Plays the scenarios against a site started for them, and prints what was expected beside what was seen.

Usage: python -m tests.scenarios [--only NAME …] [--also FOLDER …] [--port 8700] [--keep]
"""

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import django
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from tests.scenarios.cases import CASES, BadScenario, Scenario, read_scenarios
from tests.scenarios.compare import Line

CATALOGUE = Path(__file__).with_name("catalogue")
AT_ONCE = 3
console = Console(highlight=False)
Results = dict[str, list[Line]]


def main() -> int:
    arguments = _arguments()
    try:
        found = read_scenarios([CASES, *arguments.also])
    except BadScenario as error:
        console.print(f"[red]Not a scenario:[/] {error}", markup=False)
        return 2
    scenarios = [each for each in found if not arguments.only or each.name in arguments.only]
    if not scenarios:
        console.print(f"No such scenario. There are: {', '.join(each.name for each in found)}.")
        return 2
    place = Path(tempfile.mkdtemp(prefix="scenarios-"))
    try:
        results = _play(scenarios, place, arguments.port)
    finally:
        if arguments.keep:
            console.print(f"Kept: {place}")
        else:
            shutil.rmtree(place, ignore_errors=True)
    return show(scenarios, results)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--also", nargs="*", type=Path, default=[], metavar="FOLDER", help="more scenarios")
    parser.add_argument("--port", type=int, default=8700)
    parser.add_argument("--keep", action="store_true", help="leave the site's files for a look")
    return parser.parse_args()


def _play(scenarios: list[Scenario], place: Path, port: int) -> Results:
    """Starts a site of its own below `place` and plays everything on it."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
        "MLEB_VAR": str(place / "var"),
        "MLEB_VAULT": str(place / "vault"),
        "MLEB_SIGNING_DIR": str(place / "signing"),
        "MLEB_CATALOGUE": str(CATALOGUE),
        "MLEB_SWEEP_S": "3",
        "MLEB_QUOTA_SUBMISSIONS": "3",
    }
    django.setup()
    from leaderboard.launcher.site import NotStarted  # Only now: these need Django to be set up.
    from tests.scenarios.site import scenario_site

    def tell(line: str) -> None:
        console.print(f"[dim]{line}[/]")

    try:
        with scenario_site(scenarios, place, port, tell) as play:
            return _play_all(scenarios, play)
    except NotStarted as error:
        raise SystemExit(f"The site of the scenarios could not be started. {error}") from error


def _play_all(scenarios: list[Scenario], play: Callable[[Scenario], list[Line]]) -> Results:
    """Some at once; those that touch what the others share come after them, one by one."""
    results: Results = {}
    together = [each for each in scenarios if not each.is_alone]
    alone = [each for each in scenarios if each.is_alone]
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("Playing", total=len(scenarios))
        for group, at_once in ((together, AT_ONCE), (alone, 1)):
            with ThreadPoolExecutor(at_once) as pool:
                for scenario, lines in zip(group, pool.map(play, group), strict=True):
                    results[scenario.name] = lines
                    progress.advance(bar)
    return results


def show(scenarios: Iterable[Scenario], results: Results) -> int:
    """Prints a table for each; 1 where anything was not as expected."""
    for scenario in scenarios:
        console.print(_table(scenario, results[scenario.name]))
    lines = [line for found in results.values() for line in found]
    wrong = sum(not line.holds for line in lines)
    console.print(f"{len(results)} scenarios, {len(lines)} expectations, {wrong} not as expected.")
    return 1 if wrong or not lines else 0


def _table(scenario: Scenario, lines: Iterable[Line]) -> Table:
    table = Table(title=Text(f"{scenario.name}: {scenario.title}"), title_justify="left", width=console.width)
    for heading, ratio in (("step", None), ("what", 4), ("expected", 3), ("seen", 3)):
        table.add_column(heading, overflow="fold", ratio=ratio)
    table.add_column("", no_wrap=True)
    for line in lines:
        table.add_row(str(line.step), *map(_short, (line.what, line.expected, line.seen)), _mark(line))
    return table


def _short(value: Any) -> Text:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return Text(text if len(text) <= 160 else f"{text[:157]}…")


def _mark(line: Line) -> Text:
    return Text("as expected", style="green") if line.holds else Text("DIFFERS", style="bold red")


if __name__ == "__main__":
    raise SystemExit(main())
