"""How long one new run takes to be compared with all stored runs of its competition, and how that grows.

    python -m bench.fingerprints [--json] [--database sqlite postgres] [--sizes 1000 10000 100000]

docs/benchmarks.md says what the columns mean.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
SHOWN = Console(stderr=True)
SIZES = (1_000, 10_000, 100_000)
DATABASES = ("sqlite", "postgres")
ASKED_S = 1.0


@dataclass(frozen=True)
class Line:
    """One size, as `bench.fingerprint_rows` measured it."""

    database: str
    stored: int
    competitions: int
    ours_s: float
    cpu_s: float
    rows_s: float
    found: bool

    @property
    def ratio(self) -> float:
        return self.ours_s / self.rows_s


@contextmanager
def _address(database: str, folder: Path) -> Iterator[str]:
    if database == "sqlite":
        folder.mkdir(parents=True)
        yield f"sqlite:///{folder / 'db.sqlite3'}"
        return
    from tests.services.postgres import postgres

    with postgres(folder) as address:
        yield address


def measure(database: str, sizes: Sequence[int]) -> Iterator[Line]:
    """A database of its own, filled further for each size, in a process that was started with its address."""
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        folder = Path(place) / "data"
        with _address(database, folder) as address:
            environment = {
                **os.environ,
                "DATABASE_URL": address,
                "MLEB_VAR": place,
                "MLEB_VAULT": f"{place}/vault",
            }
            command = [sys.executable, "-m", "bench.fingerprint_rows", *map(str, sizes)]
            with subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
            ) as child:
                assert child.stdout is not None
                for said in child.stdout:
                    yield Line(database, **json.loads(said))
            if child.returncode:
                raise SystemExit(f"{database}: nothing was measured (exit code {child.returncode})")


def show(lines: Sequence[Line]) -> Table:
    table = Table(title=f"One new run compared with all that are stored, {os.cpu_count()} cores")
    for name in (
        "database",
        "stored",
        "competitions",
        "seconds",
        "CPU",
        "row by row, s",
        "ratio",
        "× the first",
        "",
    ):
        table.add_column(name, justify="left" if name in ("database", "") else "right")
    for line in lines:
        first = next(each for each in lines if each.database == line.database)
        is_met = line.found and line.ours_s < ASKED_S
        table.add_row(
            line.database, f"{line.stored:,}", str(line.competitions), f"{line.ours_s:.3f}", f"{line.cpu_s:.3f}",
            f"{line.rows_s:.3f}", f"{line.ratio:.2f}", f"{line.ours_s / first.ours_s:.1f}",
            "met" if is_met else "MISSED",
        )  # fmt: skip
    return table


def main() -> None:
    options = _options()
    lines = []
    for database in options.database:
        with SHOWN.status(f"{database}: filling and measuring"):
            for line in measure(database, options.sizes):
                lines.append(line)
                SHOWN.print(f"{database}: {line.stored:,} stored, {line.ours_s:.3f} s")
                if options.json:
                    print(json.dumps({**line.__dict__, "ratio": round(line.ratio, 3)}), flush=True)
    if not options.json:
        Console(width=120).print(show(lines))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Seconds to compare one new run with all stored ones.")
    parser.add_argument("--json", action="store_true", help="one object per line")
    parser.add_argument("--database", nargs="+", choices=DATABASES, default=list(DATABASES))
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), metavar="N")
    return parser.parse_args()


if __name__ == "__main__":
    main()
