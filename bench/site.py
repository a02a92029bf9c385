"""How many requests the board and its API answer, beside a bare Django view on the same machine in the same minute.

    python -m bench.site [--json] [--submissions 100 100000] [--only requests] [--data DIR]

docs/benchmarks.md says what the columns mean.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from .site_fresh import check_fresh
from .site_load import PLAIN, Load, NotMeasured, Server, fetch_from_each_worker, find_wrk, load, serve
from .site_truth import PAGE_ROWS, check_top_rows
from .site_turns import BURST_S, Burst, Line, Subject, make_line, median_load, take_turns

ROOT = Path(__file__).parents[1]
SHOWN = Console(stderr=True)  # Progress; results alone go to the standard output.
# Each with the number of entries among them: on a large site most submissions are earlier attempts.
SIZES = {100: 100, 100_000: 10_000}
API, PAGE = "/api/v1/rankings/clean", "/"
ASKED = {"rankings_api": 0.6, "rankings_304": 0.8, "board_page": 0.5}
BARE = "bare view"
REQUESTS, DECISIONS = PARTS = ("requests", "decisions")
# A large site answers so much of what a small one does, or more.
ALIKE = 0.85
NEW_FILTERS, ASKED_MS = 40, 25.0
# Seconds of processor time of one decision, by entries, and on how many of them it is tried in place of a size.
ASKED_S = {300: 0.5, 10_000: 5.0}
DECIDED_ON = {100: 300}
# A line for each request is left out, as the yardstick has none.
NO_LOG = {"MLEB_LOG_LEVEL": "WARNING"}
# What every browser and most clients ask for.
ZIPPED = {"Accept-Encoding": "gzip"}


@dataclass(frozen=True)
class Measured:
    """One size: its lines, the yardstick's load, and processor time of a filter nobody asked for before.

    Without lines where requests were not to be measured.
    """

    submissions: int
    lines: list[Line]
    bare: Load | None = None
    new_filter_ms: float = 0.0
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


def measure(sites: Mapping[int, Server], ask: Callable[[Subject], Load], bare: Subject) -> list[Measured]:
    """Each site of so many submissions, all by turns."""
    subjects = [subject for submissions, site in sites.items() for subject in _subjects(submissions, site)]
    with SHOWN.status("measuring"):
        bursts = take_turns(subjects, ask, bare)
    return [_measured(submissions, site, bursts) for submissions, site in sites.items()]


def _subjects(submissions: int, site: Server) -> list[Subject]:
    """After every worker has answered everything once."""
    fetch_from_each_worker(site.url, [PAGE, API])
    etag = httpx.get(site.url + API, headers=ZIPPED, **PLAIN).headers["ETag"]
    has_it = {**ZIPPED, "If-None-Match": etag}
    if (status := httpx.get(site.url + API, headers=has_it, **PLAIN).status_code) != 304:
        raise NotMeasured(f"The answer to a reader who has it is {status}, not 304.")
    return [
        Subject("rankings_api", submissions, site.url + API, ZIPPED),
        Subject("rankings_304", submissions, site.url + API, has_it),
        Subject("board_page", submissions, site.url + PAGE, ZIPPED),
    ]


def _measured(submissions: int, site: Server, bursts: Mapping[Subject, Sequence[Burst]]) -> Measured:
    own = {subject: of for subject, of in bursts.items() if subject.submissions == submissions}
    bare = [load for of in own.values() for burst in of for load in burst.bare]
    lines = [make_line(subject, of) for subject, of in own.items()]
    return Measured(submissions, lines, median_load(bare), _new_filter_ms(site, submissions))


def _new_filter_ms(site: Server, submissions: int) -> float:
    """Milliseconds of processor time for one page with a filter nobody asked for before.

    A large board shows on each of them rows that nobody looked at either. One submission of ten at least is an entry.
    """
    pages = max(1, submissions // 10 // PAGE_ROWS)
    addresses = [f"{PAGE}?hours_max={20 + at}&sort=-cost&page={1 + at % pages}" for at in range(NEW_FILTERS)]
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


def run(sizes: Mapping[int, int], folder: Path, parts: Collection[str] = PARTS) -> list[Measured]:
    """By size. Servers that are not asked anything cost nothing, so that all may run at once."""
    measured = _run_requests(sizes, folder) if REQUESTS in parts else [_nothing(size) for size in sizes]
    if DECISIONS not in parts:
        return measured
    decided = [_decide(folder, submissions, entries) for submissions, entries in sizes.items()]
    return [replace(each, decided=of) for each, of in zip(measured, decided, strict=True)]


def _run_requests(sizes: Mapping[int, int], folder: Path) -> list[Measured]:
    wrk, log = find_wrk(), folder / "gunicorn.log"
    places = {submissions: fill(folder, submissions, entries) for submissions, entries in sizes.items()}
    with ExitStack() as servers:
        bare = servers.enter_context(serve("bench.bare_site:make_application()", {}, log))
        sites = {
            submissions: servers.enter_context(_serve_site(place, log))
            for submissions, place in places.items()
        }
        for submissions, site in sites.items():
            with SHOWN.status(f"{submissions:,} submissions: is all right and nothing stale"):
                check_top_rows(places[submissions] / "db.sqlite3", site.url, API, PAGE)
                _check_fresh(places[submissions], site)
        ask = partial(_ask, wrk)
        return measure(sites, ask, Subject(BARE, 0, bare.url, ZIPPED))


def _ask(wrk: str, subject: Subject) -> Load:
    return load(wrk, subject.url, subject.headers, BURST_S)


def _serve_site(place: Path, log: Path) -> AbstractContextManager[Server]:
    return serve("leaderboard.wsgi:application", {**_environment(place), **NO_LOG}, log)


def _nothing(submissions: int) -> Measured:
    return Measured(submissions, [])


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
        count = f"{each.submissions:,}"
        if bare := each.bare:
            table.add_row(
                BARE, count, f"{bare.rps:.0f}", f"{bare.p50_ms:.2f}", f"{bare.p99_ms:.2f}", "1", "", ""
            )
        for line in each.lines:
            asked = ASKED[line.what]
            table.add_row(
                line.what, count, f"{line.rps:.0f}", f"{line.p50_ms:.2f}", f"{line.p99_ms:.2f}",
                f"{line.ratio_to_bare_view:.2f}", f"≥ {asked:g}", _met(line.ratio_to_bare_view >= asked),
            )  # fmt: skip
        if each.bare:
            new, met = f"{each.new_filter_ms:.1f} ms CPU", _met(each.new_filter_ms < ASKED_MS)
            table.add_row("a new filter", count, "", "", "", new, f"< {ASKED_MS:g}", met)
        if decided := each.decided:
            on, spent, asked_s = f"{decided.entries:,} entries", decided.decision_s, decided.asked_s
            table.add_row(
                "a decision", on, "", "", "", f"{spent:.2f} s CPU", f"≤ {asked_s:g}", _met(spent <= asked_s)
            )
            table.add_row("all from nothing", on, "", "", "", f"{decided.rebuild_s:.2f} s CPU", "", "")
    for what, share in compare_sizes(results).items():
        row = (f"{what}, largest by smallest", "", "", "", "", f"{share:.2f}", f"≥ {ALIKE:g}")
        table.add_row(*row, _met(share >= ALIKE))
    return table


def compare_sizes(results: Sequence[Measured]) -> dict[str, float]:
    """How much the largest site answers of what the smallest does; nothing of one alone."""
    if len(results) < 2:
        return {}
    smallest, *_, largest = sorted(results, key=lambda each: each.submissions)
    return {
        small.what: large.ratio_to_bare_view / small.ratio_to_bare_view
        for small, large in zip(smallest.lines, largest.lines, strict=True)
    }


def _met(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def main() -> None:
    options = _options()
    sizes = {number: SIZES.get(number, max(1, number // 10)) for number in options.submissions}
    try:
        with _folder(options.data) as folder:
            results = run(sizes, folder, options.only)
    except NotMeasured as error:
        raise SystemExit(str(error)) from None
    if options.json:
        for line in (line for each in results for line in each.lines):
            print(json.dumps(asdict(line)))
    # What is no line for programs is in the table alone.
    Console(width=110, stderr=options.json).print(show(results))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Requests per second beside a bare Django view.")
    parser.add_argument("--json", action="store_true", help="one object per line")
    parser.add_argument("--submissions", type=int, nargs="+", default=list(SIZES), metavar="N")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="all if left out")
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
