"""Every case of the oracle: equal verdict, and score to 5 decimals."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from grading.catalogue import CompetitionSpec, shipped_benchmarks, shipped_competitions
from grading.graders.grade import Reading
from grading.graders.registry import is_implemented
from grading.management.commands.check_oracle import counted_fallbacks, grade_folder
from grading.usable import require_usable
from tests.grading.oracle import held_specs, unpack

PAWPULARITY = "petfinder-pawpularity-score"


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(tmp_path_factory.mktemp("oracle"))


def test_it_holds_the_whole_benchmark() -> None:
    held = {spec.id for spec in held_specs() if is_implemented(spec.metric.family)}
    assert shipped_benchmarks()["mle-bench-v1"].splits.keys() <= held


@pytest.mark.parametrize("spec", held_specs(), ids=lambda spec: spec.id)
def test_equals_the_benchmark(oracle: Path, spec: CompetitionSpec) -> None:
    """Read the exact way and, with digested answers, the fast way wherever it can: one verdict, to the word."""
    exact, fast = (list(grade_folder(oracle / spec.id, spec, way)) for way in (Reading.EXACT, Reading.FAST))
    assert exact
    assert [each.as_difference() for each in exact if not each.agrees] == []
    assert [each.verdict for each in fast] == [each.verdict for each in exact]


def test_the_fast_way_is_taken_by_most(oracle: Path) -> None:
    folder = oracle / PAWPULARITY
    with counted_fallbacks() as fallbacks:
        cases = list(grade_folder(folder, shipped_competitions()[PAWPULARITY], Reading.FAST))
    assert len(fallbacks) < len(cases) / 2


def test_its_answers_can_all_be_loaded(oracle: Path) -> None:
    for spec in held_specs():
        require_usable(spec, oracle / spec.id / f"answers.{spec.answers_format}")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """An oracle of three cases, of which the last two are recorded wrongly."""
    folder = tmp_path / PAWPULARITY
    folder.mkdir()
    cases = [
        {"file": "case_000.csv", "valid": True, "expected_score": 1.0},
        {"file": "case_001.csv", "valid": True, "expected_score": 0.5},
        {"file": "case_002.csv", "valid": False, "expected_score": None},
    ]
    (folder / "cases.json").write_text(json.dumps(cases))
    (folder / "answers.csv").write_text("Id,Pawpularity\na,10\nb,20\n")
    for case, first in zip(cases, ("11", "", "10"), strict=True):
        (folder / str(case["file"])).write_text(f"Id,Pawpularity\na,{first}\nb,21\n")
    return tmp_path


def test_the_command_tells_what_differs(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError):
        call_command("check_oracle", small)
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{PAWPULARITY} case_001.csv: expected 0.5, got None invalid missing_value")
    assert second.startswith(f"{PAWPULARITY} case_002.csv: expected invalid, got 0.70711 scored")
    assert last == "3 cases, 2 differ"


@pytest.mark.parametrize(("way", "said"), [("--fast", "1 read the exact way\n"), ("--exact", "")])
def test_the_command_reads_one_way_only(
    small: Path, capsys: pytest.CaptureFixture[str], way: str, said: str
) -> None:
    (small / PAWPULARITY / "case_001.csv").write_text("Id,Pawpularity\n\na,\nb,21\n")
    call_command("check_oracle", small, way, "--json")
    found = capsys.readouterr()
    assert [json.loads(line)["outcome"] for line in found.out.splitlines()] == ["scored", "invalid", "scored"]
    assert found.err == said


def test_the_command_writes_one_object_per_case(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check_oracle", small, "--json")
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {"competition": PAWPULARITY, "file": "case_000.csv", "outcome": "scored", "score": 1.0},
        {"competition": PAWPULARITY, "file": "case_001.csv", "outcome": "invalid", "score": None},
        {"competition": PAWPULARITY, "file": "case_002.csv", "outcome": "scored", "score": 0.70711},
    ]


def test_the_command_needs_a_known_competition(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="has no <competition>"):
        call_command("check_oracle", tmp_path)
    (tmp_path / "unheard-of").mkdir()
    (tmp_path / "unheard-of" / "cases.json").write_text("[]")
    with pytest.raises(CommandError, match="not in the catalogue"):
        call_command("check_oracle", tmp_path)


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        ("{", "cases.json: not JSON"),
        ('{"file": "case_000.csv"}', "cases.json: write a list of objects"),
        ('[{"file": "case_000.csv"}]', 'with "file", "valid" and "expected_score"'),
        ('[{"file": "x.csv", "valid": true, "expected_score": 1}]', "there is no file"),
    ],
)
def test_wrong_cases_are_told_how_to_mend(small: Path, cases: str, told: str) -> None:
    (small / PAWPULARITY / "cases.json").write_text(cases)
    with pytest.raises(CommandError, match=told):
        call_command("check_oracle", small)


def test_a_reader_who_leaves_early_sees_no_traceback(small: Path) -> None:
    manage = Path(__file__).parents[2] / "manage.py"
    command = f"{sys.executable} {manage} check_oracle {small} --json | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=1200, check=True)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr
