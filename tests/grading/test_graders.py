"""Metrics against scikit-learn, and the way from two files to a verdict: codes, messages, what they never say."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from grading.graders import entry, registry, version
from grading.graders.auroc import auroc, average_ranks
from grading.graders.columns import Column, infer_column
from grading.graders.confusion import macro_f1, matthews_correlation, quadratic_weighted_kappa
from grading.graders.grade import grade_files
from grading.graders.job import Job
from grading.graders.log_loss import binary_log_loss, multiclass_log_loss
from grading.graders.mae import mae
from grading.graders.messages import list_ids, show_id
from grading.graders.rmse import rmse, rmsle
from grading.graders.rounding import round_score
from grading.graders.values import read_as_text
from grading.graders.verdict import Outcome, Verdict
from tests.grading.made_up import ANSWERS, JOB

RANDOM = np.random.default_rng(7)
TRUE = RANDOM.integers(0, 2, 200)
SCORES = np.round(RANDOM.random(200), 2)
CLASSES = RANDOM.integers(0, 5, 200)
GUESSES = RANDOM.integers(1, 7, 200)
POSITIVE = RANDOM.random(200) * 10
GRADERS = Path(registry.__file__).parent


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (auroc(SCORES, TRUE), metrics.roc_auc_score(TRUE, SCORES)),
        (rmse(SCORES, POSITIVE), metrics.root_mean_squared_error(POSITIVE, SCORES)),
        (rmsle(SCORES, POSITIVE), metrics.root_mean_squared_log_error(POSITIVE, SCORES)),
        (mae(SCORES, POSITIVE), metrics.mean_absolute_error(POSITIVE, SCORES)),
        (binary_log_loss(SCORES, TRUE), metrics.log_loss(TRUE, SCORES)),
        (
            quadratic_weighted_kappa(GUESSES, CLASSES),
            metrics.cohen_kappa_score(CLASSES, GUESSES, weights="quadratic"),
        ),
        (macro_f1(GUESSES, CLASSES), metrics.f1_score(CLASSES, GUESSES, average="macro")),
        (matthews_correlation(GUESSES, CLASSES), metrics.matthews_corrcoef(CLASSES, GUESSES)),
    ],
)
def test_metrics_equal_the_library(ours: float, theirs: float) -> None:
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_multiclass_log_loss_equals_the_library() -> None:
    rows = RANDOM.dirichlet([1, 1, 1, 1, 1], 200)
    assert multiclass_log_loss(rows, np.eye(5)[CLASSES]) == pytest.approx(
        metrics.log_loss(CLASSES, rows), abs=1e-12
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (auroc(np.array([0.1, 0.9]), np.array([1, 1])), float("nan")),
        (quadratic_weighted_kappa(np.array([3, 3]), np.array([3, 3])), float("nan")),
        (matthews_correlation(np.array([1, 1]), np.array([0, 1])), 0.0),
        (rmse(np.array([]), np.array([])), float("nan")),
    ],
)
def test_metrics_at_their_edges(value: float, expected: float) -> None:
    assert value == pytest.approx(expected, nan_ok=True)


def test_ties_share_the_mean_rank() -> None:
    assert average_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]


@pytest.mark.parametrize(
    ("score", "rounded"), [(0.123455, 0.12346), (0.5, 0.5), (1 / 3, 0.33333), (-2.000005, -2.0)]
)
def test_rounding_is_the_benchmarks(score: float, rounded: float) -> None:
    assert round_score(score) == rounded


@given(st.floats() | st.floats(-1, 1) | st.integers(-400_000, 400_000).map(lambda halves: halves / 2e5))
def test_rounding_is_numpys(score: float) -> None:
    with np.errstate(over="ignore"):
        theirs = float(np.round(np.float64(score), 5))
    assert repr(round_score(score)) == repr(theirs)


def job(values: str = "numbers", family: str = "rmse", **checks: Any) -> Job:
    plain = {
        "competition": "made-up",
        "family": family,
        "params": {},
        "answers_format": "csv",
        "id_columns": ["id"],
        "target_columns": ["y"],
        "checks": {"values": values, **checks},
        "limits": {},
    }
    return Job.from_dict(json.loads(json.dumps(plain)))


@pytest.fixture
def verdict(tmp_path: Path) -> Callable[..., Verdict]:
    def grade(submission: str, answers: str = "id,y\na,1\nb,2\nc,4\n", job: Job = job()) -> Verdict:  # noqa: B008
        (tmp_path / "submission.csv").write_bytes(submission.encode())
        (tmp_path / "answers.csv").write_text(answers)
        return grade_files(job, tmp_path / "submission.csv", tmp_path / "answers.csv")

    return grade


@pytest.mark.parametrize(
    ("submission", "score"),
    [
        ("id,y\na,1\nb,2\nc,4\n", 0.0),
        ("y,id,note\n4,c,x\n2,b,x\n1,a,x\n", 0.0),
        ("id,y\nc,1\nb,2\na,1\n", 1.73205),
        ("id,y\na,true\nb,true\nc,true\n", 1.82574),
    ],
)
def test_scored(verdict: Callable[..., Verdict], submission: str, score: float) -> None:
    assert verdict(submission) == Verdict(Outcome.SCORED, score=score)


@pytest.mark.parametrize(
    ("submission", "job", "code", "message"),
    [
        ("id,z\na,1\n", job(), "column_missing", "1 column is absent: y. Names must match exactly"),
        ("id,y\na,1\n", job(), "row_count", "The file has 1 data row; 3 are expected"),
        ("id,y\na,1\nb,2\nzz,4\n", job(), "ids_differ", "1 id is absent (c); 1 row has an id that is not asked for"),
        ("id,y\na,1\nb,2\nb,4\n", job(), "ids_differ", "1 id is absent (c); 1 id occurs more than once (b)"),
        ("id,y\na,1\nb,2\n,4\n", job(), "ids_differ", "1 row has no id (data row 3)"),
        ("id,y\n1,1\n2,2\n3,4\n", job(), "ids_differ", "the ids of this competition are text"),
        ("id,y\na,1\nb,secret\nc,4\n", job(), "not_numeric", "Column y holds text in 1 cell (data row 2)"),
        ("id,y\na,1\nb,\nc,4\n", job(), "missing_value", "Column y: 1 value missing (data row 2)"),
        ("id,y\na,1\nb,nan\nc,4\n", job(), "missing_value", "data row 2"),
        ("id,y\na,1\nb,inf\nc,4\n", job(), "infinite_value", "Column y: 1 value not finite (data row 2)"),
        ("id,y\na,1\nb,1e400\nc,4\n", job("parsable"), "infinite_value", "data row 2"),
        ("id,y\na,1\nb,x\nc,4\n", job("parsable"), "not_numeric", "data row 2"),
        ("id,y\na,1\nb,2.5\nc,4\n", job("whole"), "not_whole", "data row 2"),
        ("id,y\na,1\nb,x\nc,4\n", job("truncated"), "not_integers", "data row 2"),
        ("id,y\na,1.0\nb,2.0\nc,4.0\n", job("first_integer"), "not_integers", "Write 3, not 3.0"),
        ("id,y\na,1\nb,2\nc,4\n", job("text_or_blanks"), "not_text", "holds no text at all"),
        ("id,y\na,1\nb,2\nc,7\n", job(range=[0, 5]), "out_of_range", "1 value outside 0 to 5 (data row 3)"),
        ("id,y,s3cret\na,1,1\nb,2,2\nc,4,3\n", job(extra_columns="refused"), "extra_column", "(position 3)"),
        ("y,id\n1,a\n2,b\n4,c\n", job(id_first=True), "id_not_first", "Column id must be the first"),
        ("id,y\na,1\nb,2\nc,4\n", job(row_sum_tolerance=0.1), "row_sum", "2 rows do not sum to 1 (data row 2, 3"),
        ("id,y\na,1\nb,2\nc,4,5\n", job(), "too_many_fields", "Data row 3"),
        ("id,y\na,1\nb,2\n", job(ids="joined", rows="any"), "ids_differ", "1 id is absent (c)"),
        ("id,y\na,1\nb,2\nz,2\n", job(ids="joined", rows="any"), "ids_differ", "(data row 3)"),
        ("id,y\na,x\nb,x\nc,x\n", job("labels", "accuracy"), None, ""),
    ],
)  # fmt: skip
def test_invalid(
    verdict: Callable[..., Verdict], submission: str, job: Job, code: str | None, message: str
) -> None:
    found = verdict(submission, job=job)
    if code is None:
        assert (found.outcome, found.score) == (Outcome.SCORED, 0.0)
        assert found.code == "labels_read_as_text"
        assert "3 values of a kind this competition does not use (data row 1, 2, 3)" in found.message
        return
    assert (found.outcome, found.code) == (Outcome.INVALID, code)
    assert message in found.message
    assert not any(text in found.message for text in ("secret", "s3cret", "zz"))


def test_labels_of_two_kinds_cannot_be_compared(verdict: Callable[..., Verdict]) -> None:
    found = verdict("id,y\na,no\nb,yes\n", "id,y\na,1\nb,0\n", job("labels", "accuracy"))
    assert (found.code, "data row" in found.message) == ("labels_incomparable", False)


def test_only_scored_rows_are_looked_at(verdict: Callable[..., Verdict]) -> None:
    answers, of = "id,y,out\na,1,0\nb,2,1\nc,4,0\n", job("parsable", scored_where={"out": 0})
    assert verdict("id,y\na,1\nb,text\nc,4\n", answers, of).score == 0.0
    assert "data row 3" in verdict("id,y\na,1\nb,2\nc,text\n", answers, of).message


@pytest.mark.parametrize("ids", ["ranked", "position"])
def test_ids_need_not_agree(verdict: Callable[..., Verdict], ids: str) -> None:
    assert verdict("id,y\nq,1\nr,2\ns,4\n", job=job(ids=ids)).score == 0.0


def test_repeated_ids_pair_in_file_order(verdict: Callable[..., Verdict]) -> None:
    assert verdict("id,y\nb,3\na,1\na,2\n", "id,y\na,1\na,2\nb,3\n").score == 0.0


def test_a_score_that_is_not_finite_is_invalid(verdict: Callable[..., Verdict]) -> None:
    found = verdict("id,y\na,3\nb,3\n", "id,y\na,3\nb,3\n", job("whole", "quadratic_weighted_kappa"))
    assert (found.outcome, found.code) == (Outcome.INVALID, "score_not_finite")


def test_what_is_ours_is_not_invalid(verdict: Callable[..., Verdict]) -> None:
    good = "id,y\na,1\nb,2\nc,4\n"
    assert verdict(good, job=job(family="no_such_metric")).code == "not_implemented"
    assert verdict(good, "id,z\na,1\n").code == "answers_unusable"
    assert verdict(good, "id,y\na,x\nb,y\nc,z\n").code == "answers_unusable"
    assert {verdict(good, "").outcome, verdict(good, 'id,"y').outcome} == {Outcome.GRADER_ERROR}


def test_ids_in_messages_are_short_and_clean() -> None:
    assert show_id("a\x1b[31m\n" + "b" * 60) == "a[31m" + "b" * 34 + "…"
    assert list_ids(range(9)) == "0, 1, 2, 3, 4"


def typed(*cells: str) -> Column:
    return infer_column(np.array(cells, dtype=np.dtypes.StringDType()))


@pytest.mark.parametrize(
    ("cells", "printed"),
    [
        (("1.50", "2"), ["1.5", "2.0"]),
        (("007", "+1"), ["7", "1"]),
        (("TRUE", "false"), ["True", "False"]),
        (("NA", "x"), ["nan", "x"]),
        (("", "1"), ["nan", "1.0"]),
    ],
)
def test_as_text(cells: tuple[str, ...], printed: list[str]) -> None:
    assert read_as_text("y", typed(*cells)).values.tolist() == printed


def test_the_entry_writes_one_strict_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(request(tmp_path))))
    reading, writing = os.pipe()
    monkeypatch.setenv("RESULT_FD", str(writing))
    entry.main()
    with os.fdopen(reading) as result:
        assert json.load(result) == {"outcome": "scored", "score": 0.0}


def test_the_entry_runs_with_nothing_but_this_folder(tmp_path: Path) -> None:
    """As in the sandbox: isolated mode, a namespace package, neither Django nor the rest of the project."""
    app = tmp_path / "app" / "grading"
    app.mkdir(parents=True)
    (app / "graders").symlink_to(GRADERS)
    code = (
        f"import sys; sys.path.insert(0, {str(app.parent)!r}); from grading.graders.entry import main; main();"
        "assert not {'django', 'pandas', 'celery'} & set(sys.modules)"
    )
    reading, writing = os.pipe()
    subprocess.run(
        [sys.executable, "-I", "-B", "-c", code],
        input=json.dumps(request(tmp_path)).encode(),
        env={"RESULT_FD": str(writing)},
        pass_fds=[writing],
        check=True,
    )
    os.close(writing)
    with os.fdopen(reading) as result:
        assert json.load(result) == {"outcome": "scored", "score": 0.0}


def test_too_little_memory_is_an_outcome(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(entry, "grade_files", fail)
    assert entry.run_job(request(tmp_path)).outcome is Outcome.OUT_OF_MEMORY


def request(folder: Path) -> dict[str, Any]:
    for name in ("submission", "answers"):
        (folder / f"{name}.csv").write_text(ANSWERS)
    return {
        "competition": JOB,
        "submission": str(folder / "submission.csv"),
        "answers": str(folder / "answers.csv"),
    }


def test_the_version_follows_the_source(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert version.grader_version() == version.GRADER_VERSION
    monkeypatch.setattr(version, "__file__", str(tmp_path / "version.py"))
    (tmp_path / "a.py").write_text("one")
    first = version.grader_version.__wrapped__()
    (tmp_path / "a.py").write_text("two")
    assert first != version.grader_version.__wrapped__()
