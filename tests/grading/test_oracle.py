"""Every case of the oracle: equal verdict, and score to 5 decimals.

The oracle holds made-up answers and submissions with the verdict the benchmark's own graders gave.
"""

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from grading.catalogue import CompetitionSpec, shipped_competitions
from grading.graders.grade import Reading
from grading.graders.registry import is_implemented
from grading.management.commands.check_oracle import counted_fallbacks, grade_folder

ARCHIVE = Path(__file__).parents[1] / "data" / "oracle.tar.xz"
IMPLEMENTED = [spec for spec in shipped_competitions().values() if is_implemented(spec.metric.family)]
# Python 3.11.2 and 3.11.3 have no filters; the archive is our own.
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
PAWPULARITY = "petfinder-pawpularity-score"


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("oracle")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, **SAFELY)
    return folder / "oracle"


@pytest.mark.parametrize("spec", IMPLEMENTED, ids=lambda spec: spec.id)
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


def test_three_families_at_least_are_graded() -> None:
    assert {"accuracy", "auroc", "rmse"} <= {spec.metric.family for spec in IMPLEMENTED}


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
