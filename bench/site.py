"""How many requests the board and its API answer, beside a bare Django view on the same machine in the same minute.

    python -m bench.site [--json] [--submissions 100 100000] [--data DIR]

docs/benchmarks.md says what the columns mean.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from .site_fresh import check_fresh
from .site_load import Load, NotMeasured, Server, fetch_from_each_worker, find_wrk, load, serve
from .site_truth import check_top_rows

ROOT = Path(__file__).parents[1]
SHOWN = Console(stderr=True)  # Progress; results alone go to the standard output.
# Each with the number of entries among them: on a large site most submissions are earlier attempts.
SIZES = {100: 100, 100_000: 10_000}
API, PAGE = "/api/v1/rankings/clean", "/"
ASKED = {"rankings_api": 0.6, "rankings_304": 0.8, "board_page": 0.5}
BARE = "bare view"
# Shorter bursts by turns instead of a long one each: so a busy minute of the machine meets all of them.
ROUNDS, BURST_S = 5, 2
NEW_FILTERS, ASKED_MS = 40, 25.0
# Seconds of processor time of one decision, by entries, and on how many of them it is tried in place of a size.
ASKED_S = {300: 0.5, 10_000: 5.0}
DECIDED_ON = {100: 300}
# A line for each request is left out, as the yardstick has none.
NO_LOG = {"MLEB_LOG_LEVEL": "WARNING"}
# What every browser and most clients ask for.
ZIPPED = {"Accept-Encoding": "gzip"}


@dataclass(frozen=True)
class Line:
    """The result for people and programs. The ratio is that of the requests per second, in the median round."""

    what: str
    submissions: int
    rps: float
    p50_ms: float
    p99_ms: float
    ratio_to_bare_view: float


@dataclass(frozen=True)
class Measured:
    """One size: its lines, the yardstick's load, and processor time of a filter nobody asked for before."""

    lines: list[Line]
    bare: Load
    new_filter_ms: float
    decided: Decided | None = None


@dataclass(frozen=True)
class Decided:
    """Seconds of processor time of one decision, and of its yardstick, making all standings from nothing."""

    entries: int
    decision_s: float
    rebuild_s: float

    @property
    def asked_s(self) -> float:
        """What is asked for with up to so many entries; beyond, the largest."""
        return next((s for entries, s in ASKED_S.items() if self.entries <= entries), max(ASKED_S.values()))


def measure(site: Server, bare: Server, wrk: str, submissions: int, burst_s: int = BURST_S) -> Measured:
    """All by turns, after every worker has answered everything once."""
    fetch_from_each_worker(site.url, [PAGE, API])
    etag = httpx.get(site.url + API, headers=ZIPPED).headers["ETag"]
    asked: dict[str, tuple[str, Mapping[str, str]]] = {
        BARE: (bare.url, ZIPPED),
        "rankings_api": (site.url + API, ZIPPED),
        "rankings_304": (site.url + API, {**ZIPPED, "If-None-Match": etag}),
        "board_page": (site.url + PAGE, ZIPPED),
    }
    rounds = [
        {what: load(wrk, url, headers, burst_s) for what, (url, headers) in asked.items()}
        for _ in range(ROUNDS)
    ]
    lines = [_line(what, submissions, rounds) for what in ASKED]
    return Measured(lines, _median([each[BARE] for each in rounds]), _new_filter_ms(site))


def _line(what: str, submissions: int, rounds: Sequence[Mapping[str, Load]]) -> Line:
    found = _median([each[what] for each in rounds])
    ratio = statistics.median(each[what].rps / each[BARE].rps for each in rounds)
    return Line(
        what,
        submissions,
        round(found.rps, 1),
        round(found.p50_ms, 2),
        round(found.p99_ms, 2),
        round(ratio, 3),
    )


def _median(loads: Sequence[Load]) -> Load:
    return Load(
        statistics.median(each.rps for each in loads),
        statistics.median(each.p50_ms for each in loads),
        statistics.median(each.p99_ms for each in loads),
    )


def _new_filter_ms(site: Server) -> float:
    """Milliseconds of processor time for one page with a filter nobody asked for before."""
    addresses = [f"{PAGE}?hours_max={20 + at}&sort=-cost" for at in range(NEW_FILTERS)]
    before = site.cpu_s()
    with httpx.Client(base_url=site.url, headers=ZIPPED, timeout=60, follow_redirects=True) as client:
        for address in addresses:
            client.get(address).raise_for_status()
    return 1000 * (site.cpu_s() - before) / NEW_FILTERS


def fill(folder: Path, submissions: int, entries: int) -> Path:
    """The folder of a site with so many submissions, made unless it is there already."""
    place = folder / f"site-{submissions}"
    done = place / "filled.json"
    if not done.exists():
        place.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "bench.site_rows", str(submissions), str(entries)]
        with SHOWN.status(f"{submissions:,} submissions, {entries:,} entries: filling a database"):
            said = subprocess.run(
                command,
                cwd=ROOT,
                env={**os.environ, **_environment(place)},
                stdout=subprocess.PIPE,
                check=True,
            )
        done.write_bytes(said.stdout)
    SHOWN.print(f"{submissions:,} submissions, {entries:,} entries: {done.read_text().strip()}")
    return place


def _environment(place: Path) -> dict[str, str]:
    """Nothing of the caller's own site is read or written."""
    database = f"sqlite:///{place / 'db.sqlite3'}"
    return {"MLEB_VAR": str(place), "MLEB_VAULT": str(place / "vault"), "DATABASE_URL": database}


def run(sizes: Mapping[int, int], folder: Path) -> Iterator[Measured]:
    wrk, log = find_wrk(), folder / "gunicorn.log"
    with serve("bench.bare_site:make_application()", {}, log) as bare:
        for submissions, entries in sizes.items():
            place = fill(folder, submissions, entries)
            with serve("leaderboard.wsgi:application", {**_environment(place), **NO_LOG}, log) as site:
                check_top_rows(place / "db.sqlite3", site.url, API, PAGE)
                with SHOWN.status(f"{submissions:,} submissions: is anything stale"):
                    _check_fresh(place, site)
                with SHOWN.status(f"{submissions:,} submissions: measuring"):
                    measured = measure(site, bare, wrk, submissions)
            yield replace(measured, decided=_decide(folder, submissions, entries))


def _check_fresh(place: Path, site: Server) -> None:
    environment = {**os.environ, **_environment(place)}
    check_fresh(place / "db.sqlite3", site.url, API, PAGE, environment)


def _decide(folder: Path, submissions: int, entries: int) -> Decided:
    """In a process of its own."""
    if submissions in DECIDED_ON:
        submissions = entries = DECIDED_ON[submissions]
    place = fill(folder, submissions, entries)
    with SHOWN.status(f"{entries:,} entries: deciding"):
        said = _run_decisions(place)
    found: dict[str, float] = json.loads(said)
    return Decided(entries, found["decision_s"], found["rebuild_s"])


def _run_decisions(place: Path) -> bytes:
    return subprocess.run(
        [sys.executable, "-m", "bench.site_decision"],
        cwd=ROOT,
        env={**os.environ, **_environment(place)},
        stdout=subprocess.PIPE,
        check=True,
    ).stdout


def show(results: Sequence[Measured]) -> Table:
    """The aligned table for people, with what is asked for and whether it is met."""
    table = Table(title=f"Requests on {os.cpu_count()} cores, 2 workers; the top rows equal what SQL says")
    for name in ("what", "submissions", "rps", "p50 ms", "p99 ms", "of bare view", "asked", ""):
        table.add_column(name, justify="left" if name in ("what", "") else "right")
    for each in results:
        count = f"{each.lines[0].submissions:,}"
        bare = each.bare
        table.add_row(BARE, count, f"{bare.rps:.0f}", f"{bare.p50_ms:.2f}", f"{bare.p99_ms:.2f}", "1", "", "")
        for line in each.lines:
            asked = ASKED[line.what]
            table.add_row(
                line.what, count, f"{line.rps:.0f}", f"{line.p50_ms:.2f}", f"{line.p99_ms:.2f}",
                f"{line.ratio_to_bare_view:.2f}", f"≥ {asked:g}", _met(line.ratio_to_bare_view >= asked),
            )  # fmt: skip
        new, met = f"{each.new_filter_ms:.1f} ms CPU", _met(each.new_filter_ms < ASKED_MS)
        table.add_row("a new filter", count, "", "", "", new, f"< {ASKED_MS:g}", met)
        if decided := each.decided:
            on, spent, asked_s = f"{decided.entries:,} entries", decided.decision_s, decided.asked_s
            table.add_row(
                "a decision", on, "", "", "", f"{spent:.2f} s CPU", f"≤ {asked_s:g}", _met(spent <= asked_s)
            )
            table.add_row("all from nothing", on, "", "", "", f"{decided.rebuild_s:.2f} s CPU", "", "")
    return table


def _met(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def main() -> None:
    options = _options()
    sizes = {number: SIZES.get(number, max(1, number // 10)) for number in options.submissions}
    results = []
    try:
        with _folder(options.data) as folder:
            for each in run(sizes, folder):
                results.append(each)
                if options.json:
                    for line in each.lines:
                        print(json.dumps(asdict(line)), flush=True)
    except NotMeasured as error:
        raise SystemExit(str(error)) from None
    # What is no line for programs is in the table alone.
    Console(width=110, stderr=options.json).print(show(results))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Requests per second beside a bare Django view.")
    parser.add_argument("--json", action="store_true", help="one object per line")
    parser.add_argument("--submissions", type=int, nargs="+", default=list(SIZES), metavar="N")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="where filled databases are kept; default a passing folder"
    )
    return parser.parse_args()


@contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    if data is not None:
        data.mkdir(parents=True, exist_ok=True)
        yield data.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="bench-site-") as folder:
        yield Path(folder)


if __name__ == "__main__":
    main()
