"""How long grading takes, beside a bare read of the same files.

    python -m bench.grading [case …] [--json] [--scale 1] [--data DIR]
    python -m bench.grading --competitions [ID …]

Without a case, all are measured. docs/benchmarks.md says what the columns mean.
"""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:
    # Started by its path: then the folder of this file, whose `grading.py` hides the package, comes first.
    sys.path[0], __package__ = str(Path(__file__).resolve().parents[1]), "bench"

import argparse
import json
import os
import platform
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from grading.catalogue import shipped_competitions
from grading.sandbox.warm import warm_pool

from .cases import BUNDLES, CASES, LARGE, SEEDS, Measured, measure_bundle, measure_competitions, measure_large
from .make_bundle import member_ids
from .measure import Timed
from .rows import sizes

SHOWN = Console(stderr=True)  # Progress; results alone go to the standard output.


def run_cases(names: Sequence[str], folder: Path, scale: float) -> Iterator[Measured]:
    """One case after the other, each alone on the machine."""
    for name in names:
        if name in LARGE:
            with SHOWN.status(f"{name}: making files and measuring"), warm_pool() as pool:
                yield measure_large(name, folder, scale, pool)
        else:
            yield _run_bundle(name, folder, scale)


def _run_bundle(name: str, folder: Path, scale: float) -> Measured:
    with Progress(console=SHOWN, transient=True) as progress:
        task = progress.add_task(name, total=len(member_ids()) * (SEEDS + 1))
        return measure_bundle(name, folder, scale, lambda: progress.advance(task))


def show_cases(results: Sequence[Measured]) -> Table:
    """The aligned table for people, with what is asked for and whether it is met."""
    table = Table(title=f"Grading on {os.cpu_count()} cores, Python {platform.python_version()}")
    for name in (
        "case",
        "ours s",
        "bare read s",
        "(reading)",
        "ratio",
        "asked",
        "ours MB",
        "bare read MB",
        "pandas s",
        "equal",
        "",
    ):
        table.add_column(name, justify="left" if name in ("case", "") else "right")
    for each in results:
        line = each.line
        table.add_row(
            line.case, f"{line.ours_s:.3f}", f"{line.bare_read_s:.3f}", f"{each.read_only_s:.3f}", f"{line.ratio:.2f}",
            _asked(line.case), f"{line.ours_peak_mb:.0f}", f"{line.bare_read_peak_mb:.0f}",
            "-" if line.pandas_s is None else f"{line.pandas_s:.2f}", "yes" if line.equal else "NO", each.verdict,
        )  # fmt: skip
    versions = next((each.versions for each in results if each.versions), {})
    table.caption = ", ".join(f"{name} {version}" for name, version in versions.items())
    return table


def show_competitions(results: Sequence[tuple[str, Timed]]) -> Table:
    table = Table(title="One run of each competition, slowest first")
    for name in ("competition", "rows", "seconds", "MB", "outcome", "score"):
        table.add_column(name, justify="left" if name in ("competition", "outcome") else "right")
    for name, timed in results:
        table.add_row(
            name,
            f"{sizes()[name].rows:,}",
            f"{timed.seconds:.3f}",
            f"{timed.peak_mb:.0f}",
            timed.said.outcome,
            str(timed.said.score),
        )
    return table


def main() -> None:
    options = _options()
    with _folder(options.data) as folder:
        if options.competitions is not None:
            _competitions(options, folder)
        else:
            _cases(options, folder)


def _cases(options: argparse.Namespace, folder: Path) -> None:
    results = []
    for each in run_cases(options.cases or CASES, folder, options.scale):
        results.append(each)
        if options.json:
            print(json.dumps(asdict(each.line)), flush=True)
    if not options.json:
        Console(width=140).print(show_cases(results))


def _competitions(options: argparse.Namespace, folder: Path) -> None:
    names, results = options.competitions or sorted(shipped_competitions()), []
    with Progress(console=SHOWN, transient=True) as progress, warm_pool() as pool:
        for each in progress.track(
            measure_competitions(folder, options.scale, pool, names), total=len(names)
        ):
            results.append(each)
    results.sort(key=lambda each: -each[1].seconds)
    if not options.json:
        Console(width=140).print(show_competitions(results))
        return
    for name, timed in results:
        found = {"seconds": round(timed.seconds, 4), "peak_mb": round(timed.peak_mb, 1)}
        print(
            json.dumps(
                {"competition": name, **found, "outcome": timed.said.outcome, "score": timed.said.score}
            )
        )


def _asked(case: str) -> str:
    budget = LARGE[case].budget if case in LARGE else BUNDLES[case]
    return f"≤ {budget.ratio:g}×" if budget.ratio is not None else f"≤ {budget.seconds:g} s"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time gradings beside a bare read of the same files.")
    parser.add_argument("cases", nargs="*", metavar="case", help=f"of {', '.join(CASES)}; default all")
    parser.add_argument("--json", action="store_true", help="one object per line")
    parser.add_argument(
        "--competitions", nargs="*", metavar="ID", help="one run of each competition instead; default all"
    )
    parser.add_argument("--scale", type=float, default=1.0, help="times the rows; default 1")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="where made-up files are kept; default a passing folder"
    )
    options = parser.parse_args()
    if unknown := set(options.cases) - set(CASES):
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    if unknown := set(options.competitions or ()) - shipped_competitions().keys():
        parser.error(f"not in the catalogue: {', '.join(sorted(unknown))}")
    return options


@contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    if data is not None:
        data.mkdir(parents=True, exist_ok=True)
        yield data
        return
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        yield Path(folder)


if __name__ == "__main__":
    main()
