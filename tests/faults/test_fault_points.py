"""Steps are declared and reached in one place each, armed once, and never in production."""

import ast
import errno
from pathlib import Path

import pytest

from grading import fault_points
from grading.fault_points import FaultPoint, FaultsInProduction, fault_folder, fault_point
from tests.faults.places import PLACES, QUICK, STEPS, rounds, steps_on

ROOT = Path(__file__).parents[2]
SOURCES = [
    path for app in ("grading", "submissions", "leaderboard") for path in sorted((ROOT / app).rglob("*.py"))
]


def calls(path: Path) -> tuple[dict[str, str], list[str]]:
    """Steps declared in a module, by the names they have there, and the names that are reached."""
    declared, reached = {}, []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            called = node.value.func
            if isinstance(called, ast.Name) and called.id == "fault_point":
                declared[node.targets[0].id] = node.value.args[0].value
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "reach"
        ):
            reached.append(node.func.value.id)
    return declared, reached


FOUND = {path: calls(path) for path in SOURCES if "fault_point" in path.read_text()}


def test_every_declared_step_is_reached_once() -> None:
    for path, (declared, reached) in FOUND.items():
        if path.name != "fault_points.py":
            assert sorted(declared) == sorted(reached), path


def test_the_trials_know_every_step() -> None:
    assert sorted(step for declared, _ in FOUND.values() for step in declared.values()) == sorted(STEPS)


def test_every_step_is_killed_at_once() -> None:
    for is_direct in (False, True):
        assert sorted(step for group in rounds(is_direct) for step in group) == sorted(steps_on(is_direct))
    assert {*steps_on(False), *steps_on(True)} == set(STEPS)
    assert set(QUICK) <= set(STEPS)
    assert all(set(QUICK) & set(steps) for steps in PLACES.values())


def test_no_step_has_two_places() -> None:
    fault_point("tried out")
    with pytest.raises(ValueError, match="tried out is declared twice"):
        fault_point("tried out")


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({}, None),
        ({"MLEB_FAULTS": ""}, None),
        ({"MLEB_MODE": "production"}, None),
        ({"MLEB_FAULTS": "/x"}, Path("/x")),
        ({"MLEB_FAULTS": "/x", "MLEB_MODE": "local"}, Path("/x")),
    ],
)
def test_the_folder_is_told_by_the_environment(environment: dict[str, str], folder: Path | None) -> None:
    assert fault_folder(environment) == folder


def test_production_does_not_start_with_faults() -> None:
    with pytest.raises(FaultsInProduction, match="Unset it"):
        fault_folder({"MLEB_FAULTS": "/x", "MLEB_MODE": "production"})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("armed", "taken", "held", "reached"):
        (tmp_path / kind).mkdir()
    monkeypatch.setattr(fault_points, "_folder", tmp_path)
    return tmp_path


@pytest.mark.parametrize(("word", "number"), [("fail", errno.EIO), ("full", errno.ENOSPC)])
def test_an_armed_step_fails_once(folder: Path, word: str, number: int) -> None:
    (folder / "armed" / "step").write_text(word)
    with pytest.raises(OSError) as raised:
        FaultPoint("step").reach()
    assert raised.value.errno == number
    FaultPoint("step").reach()
    assert (folder / "reached" / "step").exists()


def test_without_a_folder_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fault_points, "_folder", None)
    monkeypatch.setattr(fault_points, "_take", lambda *_: pytest.fail("looked for what is armed"))
    FaultPoint("step").reach()
