"""Does to real sites what may go wrong, and prints what came of it; ends with 1 where anything is not as promised.

Usage: python -m tests.faults [--quick] [--on SITE …] [--only WORD …] [--keep] [--json FILE]
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console

from tests.faults.outcome import NARROWEST, Outcome, faults_of, read_outcomes, table_of, write_outcomes

SITES = ("files", "services", "redis")
# A whole run tries all of them, a quick one these.
QUICK_SITES = ("files", "services")
COLUMNS = int(os.environ.get("COLUMNS", 0)) or (None if sys.stdout.isatty() else NARROWEST)
console = Console(highlight=False, width=COLUMNS)


def main() -> int:
    arguments = _arguments()
    # As Ctrl-C does: what was started ends with this.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began, outcomes, failed = time.monotonic(), [], False
    place = Path(tempfile.mkdtemp(prefix="faults-"))
    try:
        sites = arguments.on or (QUICK_SITES if arguments.quick else SITES)
        # One after the other, but for a quick run: much of it is waiting.
        with ThreadPoolExecutor(len(sites) if arguments.quick else 1) as pool:
            for code, found in pool.map(lambda site: _trials(site, place / site, arguments), sites):
                outcomes += found
                failed = failed or code != 0
    finally:
        if arguments.keep:
            console.print(f"Kept: {place}")
        else:
            shutil.rmtree(place, ignore_errors=True)
    if arguments.json:
        write_outcomes(arguments.json, outcomes)
    return _show(outcomes, failed, time.monotonic() - began)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a part that stands for the rest")
    parser.add_argument(
        "--only", nargs="*", default=[], metavar="WORD", help="groups with this in their name"
    )
    parser.add_argument("--on", nargs="*", default=[], choices=SITES, help="these sites alone")
    parser.add_argument("--keep", action="store_true", help="leave the sites' files for a look")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcomes there too")
    return parser.parse_args()


def _trials(site: str, place: Path, arguments: argparse.Namespace) -> tuple[int, list[Outcome]]:
    """The trials on one kind of site, in a process of their own: settings are read once."""
    place.mkdir()
    found = place / "outcomes.json"
    command = [sys.executable, "-m", "tests.faults.run", site, str(place)]
    command += ["--quick"] if arguments.quick else []
    command += ["--only", *arguments.only] if arguments.only else []
    done = subprocess.run(command, check=False)
    return done.returncode, read_outcomes(found)


def _show(outcomes: list[Outcome], failed: bool, seconds: float) -> int:
    console.print(table_of(outcomes, console.width))
    wrong = faults_of(outcomes)
    for words in wrong:
        console.print(words, style="bold red", soft_wrap=True)
    console.print(f"{len(outcomes)} faults in {seconds:.0f} s, {len(wrong)} not as promised.")
    if failed:
        console.print("[red]A site's trials did not come to their end.[/]")
    return 1 if wrong or failed or not outcomes else 0


if __name__ == "__main__":
    raise SystemExit(main())
