"""The README's first command, for real: web server, workers, sandbox, upload, decision, ranking."""

import json
import re
from pathlib import Path

import pytest

from demo.scores import score_bundle
from tests.site.conftest import Run
from tests.site.services import ask_site, stored

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


def test_running_it_again_does_nothing_twice(
    first_run: str, run_module: Run, site_environment: dict[str, str]
) -> None:
    before = counts(site_environment)
    again = run_module(*DEMO)
    assert again.returncode == 0, again.stdout + again.stderr
    assert counts(site_environment) == before
    assert before == {"submission": 1, "grading": 3, "entry": 31, "decision": 33}


def counts(environment: dict[str, str]) -> dict[str, int]:
    tables = {
        "submission": "submissions_submission",
        "grading": "grading_grading",
        "entry": "leaderboard_entry",
        "decision": "leaderboard_decision",
    }
    return {
        name: ask_site(environment, f"select count(*) from {table}")[0][0] for name, table in tables.items()
    }


def test_each_run_was_graded_once(first_run: str, site_environment: dict[str, str]) -> None:
    rows = ask_site(site_environment, "select state, outcome, attempts from grading_grading")
    assert rows == [("done", "scored", 1)] * 3


def test_no_answer_lies_outside_the_vault(first_run: str, place: Path) -> None:
    """The rows of the answers file, which hold columns no submission has, are in no other file of the site."""
    answers = next((place / "vault" / "answers").rglob("*.csv")).read_text().splitlines()
    rows = [row.encode() for row in answers[1:20]]
    for path in (place / "var").rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not any(row in content for row in rows), path


def test_the_shape_on_file_has_ids_and_no_labels(first_run: str, site_environment: dict[str, str]) -> None:
    shape = json.loads(stored(site_environment, "shapes", "spaceship-titanic/1.json"))
    assert shape["rows"] == 870
    assert "Transported" not in shape["cells"]
