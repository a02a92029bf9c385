"""The README's first command, for real: web server, workers, sandbox, upload, decision, ranking."""

import json
import re
import sqlite3
from pathlib import Path

import pytest

from demo.scores import score_bundle
from tests.site.conftest import Run

pytestmark = [pytest.mark.site, pytest.mark.sandbox]
DEMO = ("demo.run", "--port", "8531", "--stay", "no")


@pytest.fixture(scope="module")
def first_run(run_module: Run) -> str:
    done = run_module(*DEMO)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_ranking_shows_the_scores_of_an_independent_computation(first_run: str) -> None:
    printed = re.findall(r"\d\.\d{5}", first_run)
    assert printed == [f"{score:.5f}" for _, score in sorted(score_bundle().items())]
    assert "Clean" in first_run


def test_running_it_again_does_nothing_twice(first_run: str, run_module: Run, place: Path) -> None:
    before = counts(place)
    again = run_module(*DEMO)
    assert again.returncode == 0, again.stdout + again.stderr
    assert counts(place) == before
    assert before == {"submission": 1, "grading": 3, "entry": 31, "decision": 33}


def counts(place: Path) -> dict[str, int]:
    tables = {
        "submission": "submissions_submission",
        "grading": "grading_grading",
        "entry": "leaderboard_entry",
        "decision": "leaderboard_decision",
    }
    with sqlite3.connect(place / "var" / "db.sqlite3") as database:
        return {
            name: database.execute(f"select count(*) from {table}").fetchone()[0]
            for name, table in tables.items()
        }


def test_each_run_was_graded_once(first_run: str, place: Path) -> None:
    with sqlite3.connect(place / "var" / "db.sqlite3") as database:
        rows = database.execute("select state, outcome, attempts from grading_grading").fetchall()
    assert rows == [("done", "scored", 1)] * 3


def test_no_answer_lies_outside_the_vault(first_run: str, place: Path) -> None:
    """The rows of the answers file, which hold columns no submission has, are in no other file of the site."""
    answers = next((place / "vault" / "answers").rglob("*.csv")).read_text().splitlines()
    rows = [row.encode() for row in answers[1:20]]
    for path in (place / "var").rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not any(row in content for row in rows), path


def test_the_shape_on_file_has_ids_and_no_labels(first_run: str, place: Path) -> None:
    shape = json.loads((place / "var" / "shapes" / "spaceship-titanic" / "1.json").read_text())
    assert shape["rows"] == 870
    assert "Transported" not in shape["cells"]
