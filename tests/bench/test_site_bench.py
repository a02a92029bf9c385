"""The benchmark of the site: what it reads from wrk, what it refuses to measure, and what it prints."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench import site, site_fresh, site_load, site_truth, site_turns
from bench.site import Decided, Measured, compare_sizes, show
from bench.site_fresh import check_fresh
from bench.site_load import Load, NotMeasured, find_wrk, read_wrk
from bench.site_truth import check_top_rows
from bench.site_turns import Burst, Line, Subject, make_line, take_turns

WRK = """Running 1s test @ http://127.0.0.1:1/
  Latency Distribution
     50%  812.00us
     75%    1.20ms
     90%    3.51ms
     99%    1.05s
  5000 requests in 1.00s, 1.00MB read
Requests/sec:   4998.12
"""


def test_reads_what_wrk_prints() -> None:
    assert read_wrk(WRK) == Load(rps=4998.12, p50_ms=pytest.approx(0.812), p99_ms=1050.0)


@pytest.mark.parametrize(
    "text",
    [
        f"{WRK}  Non-2xx or 3xx responses: 12\n",
        f"{WRK}  Socket errors: connect 0, read 3, write 0, timeout 0\n",
        WRK.replace("Requests/sec", "Nothing"),
        WRK.replace("99%", "98%"),
        "",
    ],
)
def test_errors_are_no_speed(text: str) -> None:
    with pytest.raises(NotMeasured):
        read_wrk(text)


def test_says_how_to_get_wrk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NotMeasured, match="apt-get install wrk"):
        find_wrk()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Two entries that share a rank, one below; one that was moved away, and one on another split."""
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript("""
            CREATE TABLE leaderboard_track (id, slug);
            CREATE TABLE leaderboard_entry (id, slug, run_on);
            CREATE TABLE leaderboard_placement (id, entry_id, track_id, effective_at);
            CREATE TABLE leaderboard_entryresult (entry_id, split, any_medal_mean);
            INSERT INTO leaderboard_track VALUES (1, 'clean'), (2, 'additional');
            INSERT INTO leaderboard_entry VALUES (1, 'late', '2026-02-01'), (2, 'early', '2026-01-01'),
                (3, 'low', '2026-01-01'), (4, 'moved', '2026-01-01'), (5, 'other', '2026-01-01');
            INSERT INTO leaderboard_placement VALUES (1, 1, 1, '2026-03-01'), (2, 2, 1, '2026-03-01'),
                (3, 3, 1, '2026-03-01'), (4, 4, 1, '2026-03-01'), (5, 4, 2, '2026-04-01'), (6, 5, 1, '2026-03-01');
            INSERT INTO leaderboard_entryresult VALUES (1, 'all', 50.001), (2, 'all', 50.002), (3, 'all', 10.0),
                (4, 'all', 90.0), (5, 'low', 80.0);
        """)
    return path


TRUTH = [(1, "early", 50.002), (1, "late", 50.001), (3, "low", 10.0)]


def serve(monkeypatch: pytest.MonkeyPatch, rows: list[tuple[int, str, float]], slugs: list[str]) -> None:
    def get(url: str, timeout: float, verify: bool) -> httpx.Response:
        request = httpx.Request("GET", url)
        if url.endswith("/api"):
            shown = [{"rank": r, "slug": s, "result": {"any_medal_mean": m}} for r, s, m in rows]
            return httpx.Response(200, json={"rows": shown}, request=request)
        html = "".join(
            f'<tr><td></td><th scope="row" class="agent"><a href="/entries/{s}/">A</a></th>' for s in slugs
        )
        return httpx.Response(200, text=html, request=request)

    monkeypatch.setattr(site_truth.httpx, "get", get)


def test_the_query_ranks_as_the_board_does(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert site_truth.read_truth(database) == TRUTH
    serve(monkeypatch, TRUTH, ["early", "late", "low"])
    check_top_rows(database, "http://x", "/api", "/")


@pytest.mark.parametrize(
    ("rows", "slugs", "says"),
    [
        (TRUTH[:2], ["early", "late", "low"], "The API is wrong"),
        ([*TRUTH[:2], (2, "low", 10.0)], ["early", "late", "low"], "row 3"),
        ([TRUTH[1], TRUTH[0], TRUTH[2]], ["early", "late", "low"], "row 1"),
        (TRUTH, ["late", "early", "low"], "The page is wrong"),
        (TRUTH, [], "The page is wrong"),
    ],
)
def test_a_wrong_board_has_no_speed(
    database: Path, monkeypatch: pytest.MonkeyPatch, rows: Any, slugs: list[str], says: str
) -> None:
    serve(monkeypatch, rows, slugs)
    with pytest.raises(NotMeasured, match=says):
        check_top_rows(database, "http://x", "/api", "/")


SMALL, LARGE, BARE = (Subject(what, 100, "http://x", {}) for what in ("small", "large", "bare"))


def burst(ours: float, *bare: float) -> Burst:
    before, after = (Load(rps, 1, 2) for rps in bare)
    return Burst(Load(ours, 3.333, 4), (before, after))


def test_ratios_are_those_of_the_median_round() -> None:
    line = make_line(SMALL, [burst(50, 90, 110), burst(10, 100, 100), burst(90, 80, 120)])
    assert line == Line("small", 100, 50, 3.33, 4, 0.5)


def test_the_yardstick_stands_between_any_two_and_the_first_round_does_not_count() -> None:
    asked: list[str] = []

    def ask(subject: Subject) -> Load:
        asked.append(subject.what)
        return Load(len(asked), 1, 2)

    bursts = take_turns([SMALL, LARGE], ask, BARE)
    one_way = ["bare", "large", "bare", "small", "bare"]
    assert asked == [*one_way, *reversed(one_way)] * 3
    assert {subject.what: len(of) for subject, of in bursts.items()} == dict.fromkeys(
        ("small", "large"), site_turns.ROUNDS
    )
    # The numbers say in which order: those of the first five are gone.
    first = bursts[SMALL][0]
    assert [first.bare[0].rps, first.load.rps, first.bare[1].rps] == [6, 7, 8]


def measured(ratio: float, new_filter_ms: float, decision_s: float = 0.4, submissions: int = 100) -> Measured:
    lines = [Line(what, submissions, 1000.0, 1.0, 2.0, ratio) for what in site.ASKED]
    decided = Decided(300, decision_s, rebuild_s=9.0)
    return Measured(submissions, lines, Load(2000, 1, 2), new_filter_ms, decided)


@pytest.mark.parametrize(
    ("ratio", "new_filter_ms", "decision_s", "met"),
    [(0.9, 24.9, 0.5, 5), (0.9, 24.9, 0.51, 4), (0.79, 25.0, 0.1, 3), (0.5, 10, 0.1, 3), (0.49, 10, 0.1, 2)],
)
def test_says_what_was_missed(ratio: float, new_filter_ms: float, decision_s: float, met: int) -> None:
    verdicts = list(show([measured(ratio, new_filter_ms, decision_s)]).columns[-1].cells)
    assert verdicts.count("met") == met
    assert verdicts.count("MISSED") == 5 - met


@pytest.mark.parametrize(("large", "met"), [(0.9, 3), (0.85, 3), (0.84, 0), (1.5, 3)])
def test_sizes_are_compared(large: float, met: int) -> None:
    results = [measured(large, 1.0, submissions=100_000), measured(1.0, 1.0)]
    assert compare_sizes(results) == pytest.approx(dict.fromkeys(site.ASKED, large))
    assert list(show(results).columns[-1].cells)[-3:].count("met") == met
    assert compare_sizes(results[:1]) == {}


def test_decisions_alone_say_nothing_of_requests() -> None:
    table = show([Measured(100, [], decided=Decided(300, 0.4, 9.0))])
    assert list(table.columns[-1].cells) == ["met", ""]


@pytest.mark.parametrize(
    ("entries", "asked_s"), [(30, 0.5), (300, 0.5), (1000, 5.0), (10_000, 5.0), (20_000, 5.0)]
)
def test_what_is_asked_of_a_decision(entries: int, asked_s: float) -> None:
    assert Decided(entries, 1.0, 1.0).asked_s == asked_s


AFTER = [TRUTH[1], TRUTH[0], TRUTH[2]]


@pytest.fixture
def moving(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What SQL says from moment to moment, when the site was asked, and what it is not found to show."""
    said: dict[str, Any] = {"truth": [TRUTH, AFTER, TRUTH], "moved": [], "asked": [], "wrong": False}

    def move(slug: str, track: str, environment: object) -> float:
        said["moved"].append((slug, track))
        return time.time() - 0.9

    def check(*where: object) -> None:
        said["asked"].append(time.time())
        if said["wrong"]:
            raise NotMeasured("The page is wrong")

    monkeypatch.setattr(site_fresh, "read_truth", lambda database: said["truth"].pop(0))
    monkeypatch.setattr(site_fresh, "_move", move)
    monkeypatch.setattr(site_fresh, "fetch_from_each_worker", lambda url, addresses: None)
    monkeypatch.setattr(site_fresh, "check_top_rows", check)
    return said


def test_what_every_worker_shows_is_looked_at_a_second_after_a_decision(moving: dict[str, Any]) -> None:
    began = time.time()
    check_fresh(Path("db"), "http://x", "/api", "/", {})
    assert moving["moved"] == [("early", "no-private-lb"), ("early", "clean")]
    assert len(moving["asked"]) == 24
    assert moving["asked"][0] >= began + 0.1


def test_what_is_stale_has_no_speed(moving: dict[str, Any]) -> None:
    moving["wrong"] = True
    with pytest.raises(NotMeasured, match="The page is wrong"):
        check_fresh(Path("db"), "http://x", "/api", "/", {})


def test_a_decision_that_changed_nothing_shows_nothing(moving: dict[str, Any]) -> None:
    moving["truth"] = [TRUTH, TRUTH]
    with pytest.raises(NotMeasured, match="did not change"):
        check_fresh(Path("db"), "http://x", "/api", "/", {})


def test_one_object_a_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(site, "run", lambda sizes, folder, parts: [measured(0.9, 1.0) for _ in sizes])
    monkeypatch.setattr("sys.argv", ["site", "--json"])
    site.main()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 6
    assert list(lines[0]) == ["what", "submissions", "rps", "p50_ms", "p99_ms", "ratio_to_bare_view"]
    assert {line["what"] for line in lines} == {"rankings_api", "rankings_304", "board_page"}


def test_what_could_not_be_measured_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_load.shutil, "which", lambda name: None)
    monkeypatch.setattr("sys.argv", ["site"])
    with pytest.raises(SystemExit, match="apt-get install wrk"):
        site.main()
