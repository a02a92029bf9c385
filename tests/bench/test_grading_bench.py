"""The grading benchmark at tiny scale: what it prints, and what counts as over budget."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.cases import CASES, LARGE, Line, Measured
from bench.grading import main, show_cases

ROOT = Path(__file__).parents[2]
KEYS = ["case", "ours_s", "bare_read_s", "ratio", "ours_peak_mb", "bare_read_peak_mb", "pandas_s", "equal"]


def measured(case: str, **values: float) -> Measured:
    usual = {"ours_s": 0.03, "bare_read_s": 0.3, "ratio": 0.1, "ours_peak_mb": 90, "bare_read_peak_mb": 80}
    return Measured(Line(case=case, **(usual | values), pandas_s=1.0, equal=True), 0.01, {"pandas": "1"})


@pytest.mark.parametrize(
    ("each", "verdict"),
    [
        (measured("taxi"), "ok"),
        (measured("taxi", ours_s=0.041), "over: time"),
        (measured("taxi", ratio=9, ours_peak_mb=900), "ok"),
        (measured("denoising", ratio=2.5, ours_peak_mb=160), "ok"),
        (measured("denoising", ratio=2.51, ours_peak_mb=161), "over: ratio, memory"),
        (measured("bundle", ratio=6.0, ours_peak_mb=900), "ok"),
        (measured("bundle", ratio=6.1), "over: ratio"),
        (measured("bundle-tiny", ours_s=5.1, ratio=90), "over: time"),
    ],
)
def test_budgets(each: Measured, verdict: str) -> None:
    assert each.verdict == verdict


def test_the_cases_are_those_asked_for() -> None:
    expected = "taxi text-normalization tps-dec-2021 dog-breed jigsaw-toxic denoising bundle bundle-tiny"
    assert " ".join(CASES) == expected
    assert LARGE["dog-breed"].rows == 100_000


def test_the_table_has_a_row_per_case() -> None:
    assert show_cases([measured("taxi"), measured("bundle")]).row_count == 2


@pytest.mark.sandbox
def test_one_object_per_line(tmp_path: Path) -> None:
    """Started by its path, as a reader of its name would."""
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "grading.py", "taxi", "dog-breed", "--json", "--scale", "0.001"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["case"] for line in lines] == ["taxi", "dog-breed"]
    for line in lines:
        assert list(line) == KEYS
        assert line["equal"] is True
        assert min(line["ours_s"], line["bare_read_s"], line["ours_peak_mb"], line["pandas_s"]) > 0


@pytest.mark.sandbox
def test_competitions_are_timed_slowest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--competitions", "leaf-classification", "spaceship-titanic", "--scale", "0.1", "--json"]
    monkeypatch.setattr(sys, "argv", ["grading.py", *arguments, "--data", str(tmp_path)])
    main()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["competition"] for line in lines} == {"leaf-classification", "spaceship-titanic"}
    assert [line["outcome"] for line in lines] == ["scored", "scored"]
    assert lines[0]["seconds"] >= lines[1]["seconds"]
