"""The site under load: grading of many runs, many readers, slow senders, and long lists.

    python -m bench.load [--json] [--only readers uploads drips lists grading] [--seconds 60]

docs/performance.md says what is promised. Everything runs on loopback and ends with this program.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from . import load_lists
from .load_grading import RUNS, measure_grading
from .load_lists import measure_lists
from .load_place import Place, make_place, served
from .load_promises import SHOWN, Promise, tell
from .load_readers import beside, read_for
from .load_sender import Bundle, Team, make_file, read_bundle
from .load_slow import FOR_S, RATE, measure_drips, measure_uploads

READERS, TEAMS, SECONDS = 500, 5, 60
# What five teams send meanwhile, each again and again.
BUNDLE, TEAM_RATE = 64 * 2**20, 4e6


def measure_readers(place: Place, bundle: Bundle, seconds: float) -> list[Promise]:
    """Many readers beside uploading teams."""
    with served(place) as site:
        teams = [Team(site.url, token) for token in place.tokens[:TEAMS]]
        with beside(*(partial(_keep_uploading, team, bundle) for team in teams)):
            found = read_for(site.url, READERS, seconds)
    asked = sum(found.statuses.values())
    return [
        Promise(f"requests of {READERS} readers that failed", found.failed, f"of {asked}", at_most=0,
                note=found.told()),
    ]  # fmt: skip


def _keep_uploading(team: Team, bundle: Bundle, stop: threading.Event) -> None:
    while not stop.is_set():
        team.upload(bundle, bytes_per_s=TEAM_RATE, stop=stop.is_set)


def measures(folder: Path, options: argparse.Namespace) -> Mapping[str, Callable[[], list[Promise]]]:
    def site(name: str) -> Place:
        return make_place(folder / name, TEAMS)

    def bundle(name: str, size: int) -> Bundle:
        return read_bundle(make_file(folder / name, size))

    return {
        "readers": lambda: measure_readers(site("readers"), bundle("small", BUNDLE), options.seconds),
        "uploads": lambda: measure_uploads(site("uploads"), bundle("large", round(RATE * FOR_S))),
        "drips": lambda: measure_drips(site("drips")),
        "lists": lambda: measure_lists(folder / "lists", options.submissions, ("sqlite", "postgres")),
        "grading": lambda: measure_grading(folder / "grading", options.runs),
    }


def main() -> int:
    options = _options()
    promises: list[Promise] = []
    with tempfile.TemporaryDirectory(
        prefix="bench-load-", dir=options.data, ignore_cleanup_errors=True
    ) as name:
        for what, measure in measures(Path(name), options).items():
            if what in options.only:
                SHOWN.print(f"measuring {what}")
                promises += measure()
    return tell(promises, options.json)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The site under load.")
    parser.add_argument("--json", action="store_true", help="one object per line")
    names = ("readers", "uploads", "drips", "lists", "grading")
    parser.add_argument("--only", nargs="+", choices=names, default=list(names))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long the readers read")
    parser.add_argument(
        "--submissions", type=int, default=load_lists.SUBMISSIONS, help="stored for the lists"
    )
    parser.add_argument("--runs", type=int, default=RUNS, help="graded at once")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where its files lie meanwhile")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
