"""Mixed traffic for a while, and whether any process of the site grows with it.

python -m bench.load_soak [--json] [--minutes 10]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path

from .load_bundle import COMPETITION, make_bundle, submit, wait_for
from .load_grading import DONE
from .load_place import make_place
from .load_promises import SHOWN, Promise, tell
from .load_readers import beside, read_for
from .load_sender import Team
from .load_whole import Whole, load_answers, running_site

MINUTES = 10.0
READERS, PAUSE_S = 20, 1.0
EVERY_S = 5.0
# What a process may grow by in a minute, once it has done everything a few times.
MOST_MB_A_MINUTE = 1.0
WARM = 0.3
BUNDLES, SEEDS = 8, 2

Samples = list[tuple[float, float]]


def slope(samples: Sequence[tuple[float, float]]) -> float:
    """Of a straight line through minutes and megabytes: megabytes a minute."""
    if len({at for at, _ in samples}) < 2:
        return 0.0
    return statistics.linear_regression([at for at, _ in samples], [mb for _, mb in samples]).slope


def judge(samples: Mapping[str, Samples], minutes: float) -> list[Promise]:
    """One line for each process. What it grows by while it warms up is left out."""
    found = []
    for name, taken in sorted(samples.items()):
        counted = [(at, mb) for at, mb in taken if at >= WARM * minutes]
        if not counted:
            continue
        first, last = counted[0][1], counted[-1][1]
        found.append(
            Promise(f"growth of {name}", slope(counted), "MB/min", at_most=MOST_MB_A_MINUTE,
                    note=f"{first:.0f} → {last:.0f} MB, {len(counted)} samples")
        )  # fmt: skip
    return found


def soak(folder: Path, minutes: float) -> list[Promise]:
    place = make_place(folder / "site", 1, MLEB_QUOTA_SUBMISSIONS="0")
    archives = [make_bundle(folder / f"made-{number}", SEEDS, number * SEEDS) for number in range(BUNDLES)]
    load_answers(place, folder / "made-0" / "data", COMPETITION)
    samples: dict[str, Samples] = defaultdict(list)
    graded: list[str] = []
    with running_site(place) as site:
        team = Team(site.url, place.tokens[0])
        with beside(partial(_submit, team, archives, graded), partial(_sample, site, samples)):
            read = read_for(site.url, READERS, 60 * minutes, pause_s=PAUSE_S)
    asked = sum(read.statuses.values())
    return [
        *judge(samples, minutes),
        Promise("requests that failed", read.failed, f"of {asked}", at_most=0, note=read.told()),
        Promise("submissions graded meanwhile", len(graded), "", at_least=1),
    ]


def _submit(team: Team, archives: Sequence[Path], graded: list[str], stop: threading.Event) -> None:
    """One after the other, each to its grading."""
    for number in count():
        if stop.is_set():
            return
        public_id = submit(team, archives[number % len(archives)])
        wait_for(team, public_id, lambda status: stop.is_set() or status in DONE)
        graded.append(public_id)


def _sample(site: Whole, samples: dict[str, Samples], stop: threading.Event) -> None:
    began = time.monotonic()
    while not stop.wait(EVERY_S):
        at = (time.monotonic() - began) / 60
        for name, mb in site.memory_mb().items():
            samples[name].append((at, mb))


def main() -> int:
    parser = argparse.ArgumentParser(description="Mixed traffic, and whether memory stays flat.")
    parser.add_argument("--json", action="store_true", help="one object per line")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--data", type=Path, metavar="DIR", help="where its files lie meanwhile")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(
            prefix="bench-soak-", dir=options.data, ignore_cleanup_errors=True
        ) as name,
        SHOWN.status(f"{options.minutes:g} minutes of traffic"),
    ):
        promises = soak(Path(name), options.minutes)
    return tell(promises, options.json)


if __name__ == "__main__":
    raise SystemExit(main())
