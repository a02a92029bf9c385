"""Answers that no good file could be graded against are refused when they are loaded."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grading.catalogue import CompetitionSpec, MetricSpec, shipped_competitions
from grading.graders.verdict import AnswersError
from grading.usable import require_usable

PLAIN = replace(shipped_competitions()["spaceship-titanic"], id="made-up", id_columns=("id",))
CHECKS = {"accuracy": {"values": "labels"}, "map_at_k": {"values": "as_text"}, "map_voc": {"values": "text"}}


def spec_of(
    family: str, *targets: str, params: dict[str, Any] | None = None, **changes: Any
) -> CompetitionSpec:
    metric = MetricSpec(family, family, params or {})
    checks = CHECKS.get(family, {"values": "numbers"})
    return replace(PLAIN, metric=metric, target_columns=targets, checks=checks, **changes)


def refusal(tmp_path: Path, spec: CompetitionSpec, text: str) -> str:
    """Why these answers are refused; empty if they are not."""
    (tmp_path / "answers.csv").write_text(text)
    try:
        require_usable(spec, tmp_path / "answers.csv")
    except AnswersError as error:
        return str(error)
    return ""


AUROC, RMSE, ACCURACY = spec_of("auroc", "y"), spec_of("rmse", "y"), spec_of("accuracy", "y")
CLASSES = spec_of("multiclass_log_loss", "*")
AT_5 = spec_of("map_at_k", "y", params={"k": 5})


@pytest.mark.parametrize(
    ("spec", "text", "told"),
    [
        (AUROC, "id,y\na,0\nb,1\n", ""),
        (AUROC, "id,y\na,1\nb,2\n", ""),
        (AUROC, "id,y\na,1\nb,1\n", "column y holds 1 distinct value; auroc needs two, 0 and 1"),
        (AUROC, "id,y\na,0\nb,1\nc,2\n", "column y holds 3 distinct values"),
        (AUROC, "id,y\na,0\nb,\nc,1\n", "column y: the label is missing, in 1 row (data row 2)"),
        (AUROC, "id,y\na,0\nb,yes\nc,1\n", "column y holds text; its labels are numbers"),
        (AUROC, "id,y\na,0\nb,1\na,1\n", "column id: an id that was there already"),
        (AUROC, "id,y\na,0\nb,1\n,1\n", "column id: the id is missing, in 1 row (data row 3)"),
        (AUROC, "id,y\n", "the answers hold no row below the header"),
        (AUROC, "id,z\na,0\n", "the answers lack the columns ['y']"),
        (replace(AUROC, repeated_ids=True), "id,y\na,0\nb,1\na,1\n", ""),
        (
            replace(AUROC, checks={"values": "numbers", "range": (0.0, 1.0)}),
            "id,y\na,1\nb,2\n",
            "a made-up perfect file would be invalid (out_of_range)",
        ),
        (
            spec_of("binary_log_loss", "y"),
            "id,y\na,0\nb,2\n",
            "column y: neither 0 nor 1, in 1 row (data row 2)",
        ),
        (RMSE, "id,y\na,0.5\nb,7\n", ""),
        (RMSE, "id,y\na,0.5\nb,\n", "a made-up perfect file would be invalid (missing_value)"),
        (RMSE, "id,y\na,0.5\nb,x\n", "a made-up perfect file would be invalid (not_numeric)"),
        (RMSE, "id,y\na,0.5\nb,inf\n", "a made-up perfect file would be invalid (infinite_value)"),
        (ACCURACY, "id,y\na,cat\nb,dog\n", ""),
        (ACCURACY, "id,y\na,cat\nb,\n", "a made-up perfect file would be invalid (missing_value)"),
        (spec_of("pearson", "y"), "id,y\na,1\nb,1\n", "a made-up perfect file"),
        (
            spec_of("macro_f1", "y"),
            "id,y\na,cat\nb,dog\n",
            "a made-up perfect file would be invalid (not_numeric)",
        ),
        (spec_of("mcc", "y"), "id,y\na,1\nb,1\n", "does not reach the best score"),
        (CLASSES, "id,u,v,w\na,1,0,0\nb,0,0,1\n", ""),
        (CLASSES, "id,u,v,w\na,1,0,0\nb,0,0,0\n", "not exactly one of the 3 label columns holds 1, in 1 row"),
        (CLASSES, "id,u,v,w\na,1,1,1\nb,0,1,0\n", "not exactly one of the 3 label columns holds 1, in 1 row"),
        (CLASSES, "id,u,v,w\na,0.5,0.5,0\nb,0,1,0\n", "column u: neither 0 nor 1"),
        (AT_5, "id,y\na,cat dog\nb,dog\n", ""),
        (
            spec_of("map_voc", "y", params={"iou_threshold": 0.5}),
            "id,y\na,cat 1 0 0\n",
            "column y of the answers",
        ),
    ],
)
def test_answers_are_tried(tmp_path: Path, spec: CompetitionSpec, text: str, told: str) -> None:
    said = refusal(tmp_path, spec, text)
    assert told in said
    assert bool(told) == bool(said)


def test_no_label_is_repeated(tmp_path: Path) -> None:
    """The reason may be written to a log: it names rows, and no cell."""
    for spec in (AUROC, RMSE, spec_of("macro_f1", "y"), spec_of("binary_log_loss", "y")):
        said = refusal(tmp_path, spec, "id,y\na,0\nb,1\nc,secret\n")
        assert said
        assert "secret" not in said
