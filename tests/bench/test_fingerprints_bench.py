"""The benchmark of likeness: what it fills a database with, that the copy in it is found, and what it prints."""

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from bench import fingerprint_rows as rows
from bench.fingerprints import Line, show
from grading.models import Benchmark
from leaderboard.fingerprints.stock import load_stock
from leaderboard.models import Fingerprint


@pytest.mark.django_db
def test_the_planted_copy_is_found_among_what_is_filled_in(monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(rows, "ORGANISATIONS", 6)
    monkeypatch.setattr(rows, "SEEDS", 10)
    teams, benchmark = rows._teams(), Benchmark.objects.create(slug="made-up", title="Made up")
    competitions = [rows._competition(f"made-up-{at}", benchmark) for at in range(2)]
    new = rows._plant(teams, benchmark, competitions[0])
    rows._fill(teams, benchmark, competitions, 50)
    assert Fingerprint.objects.count() == 52
    assert len(load_stock("made-up-0")) == 27
    rows._say(52, 2, competitions[0], new)
    assert '"found": true' in capsys.readouterr().out


def line(**columns: Any) -> Line:
    given = {
        "database": "sqlite",
        "stored": 1000,
        "competitions": 1,
        "ours_s": 0.1,
        "cpu_s": 0.1,
        "rows_s": 0.2,
    }
    return Line(**{**given, "found": True, **columns})


@pytest.mark.parametrize(
    ("columns", "word"), [({}, "met"), ({"ours_s": 1.1}, "MISSED"), ({"found": False}, "MISSED")]
)
def test_the_table_says_whether_what_is_asked_is_met(columns: dict[str, Any], word: str) -> None:
    printed = StringIO()
    Console(width=140, file=printed).print(show([line(), line(stored=100_000, **columns)]))
    assert word in next(each for each in printed.getvalue().splitlines() if "100,000" in each)
    assert line(ours_s=0.1).ratio == pytest.approx(0.5)
