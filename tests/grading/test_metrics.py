"""Metrics by hand, each in the smallest case that shows its rule, and against scikit-learn where it has the same."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from grading.graders.angular_error import mean_angular_error, unit_vectors
from grading.graders.bias_auroc import bias_auroc, power_mean
from grading.graders.correlation import pearson, spearman
from grading.graders.grade import grade_files
from grading.graders.group_mae import group_mean_log_mae
from grading.graders.haversine import haversine_m, mean_percentile_error
from grading.graders.jaccard import word_jaccard
from grading.graders.job import Job
from grading.graders.kendall import count_inversions, kendall_tau
from grading.graders.kl_divergence import kl_divergence
from grading.graders.laplace import laplace_log_likelihood
from grading.graders.levenshtein import edit_distance
from grading.graders.lwlrap import lwlrap
from grading.graders.map_at_k import average_precision
from grading.graders.natural_questions import normalise
from grading.graders.outline import outline_of, problems_against
from grading.graders.probabilistic_f1 import probabilistic_f1
from grading.graders.set_f1 import set_micro_f1
from grading.graders.verdict import Outcome, Verdict
from grading.graders.weighted_auroc import weighted_auroc
from grading.graders.weighted_log_loss import study_mean_log_loss

RANDOM = np.random.default_rng(11)
NAN = float("nan")
BANDS = {"thresholds": [0, 0.4, 1], "weights": [2, 1]}


def array(*values: Any) -> Any:
    return np.array(values, dtype=float)


def flags(word: str) -> Any:
    return np.array([letter == "1" for letter in word])


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (weighted_auroc(array(1, 2, 3, 4), array(0, 0, 1, 1), **BANDS), 1.0),
        (weighted_auroc(array(5, 5, 5, 5), array(0, 1, 0, 1), **BANDS), 0.82 / 1.4),
        (weighted_auroc(array(4, 3, 2, 1), array(0, 0, 1, 1), **BANDS), 0.0),
        (weighted_auroc(array(1, 2), array(1, 1), **BANDS), NAN),
        (power_mean([0.5, 0.5]), 0.5),
        (power_mean([0.0, 1.0]), 0.0),
        (bias_auroc(flags("1100"), flags("1100"), [flags("1010"), flags("0101")]), 1.0),
        (lwlrap(array([3, 2, 1]), array([0, 1, 1])), (1 / 2 + 2 / 3) / 2),
        (lwlrap(array([1, 1], [1, 0]), array([1, 0], [1, 0])), (1 / 2 + 1) / 2),
        (set_micro_f1(["a new a", ""], ["a b", "a"]), 2 / 4),
        (set_micro_f1(["new"], [""]), 0.0),
        (probabilistic_f1(array(0.5, 0.5, 3, -1), array(1, 0, 1, 0)), 0.75),
        (probabilistic_f1(array(0, 0), array(1, 0)), 0.0),
        (probabilistic_f1(array(1, NAN), array(1, 0)), 0.0),
        (probabilistic_f1(array(np.inf, 0), array(1, 0)), 1.0),
        (study_mean_log_loss(array(0.5, 0.5), array(1, 0), array(14, 1), array(1, 1)), np.log(2)),
        (
            study_mean_log_loss(array(0.5, 0.25, 1), array(1, 1, 1), array(3, 1, 2), array(7, 7, 9)),
            (3 * np.log(2) + np.log(4)) / 4 / 2,
        ),
        (kl_divergence(array([0.5, 0.5]), array([3, 3])), 0.0),
        (kl_divergence(array([0.5, 0.5], [1, 0]), array([4, 0], [9, 0])), np.log(2) / 2),
        (kl_divergence(array([0, 1]), array([1, 0])), -np.log(1e-15)),
        (group_mean_log_mae(array(2, 1, 4), array(1, 2, 0), np.array(["a", "a", "b"])), np.log(4) / 2),
        (laplace_log_likelihood(array(2000), array(70), array(2000)), -4.59507),
        (laplace_log_likelihood(array(9999), array(NAN), array(0)), -np.sqrt(2) * 1000 / 70 - 4.59507),
        (laplace_log_likelihood(array(-70), array(-3), array(0)), -np.sqrt(2) - 4.59507),
        (mean_angular_error(unit_vectors(array(0), array(0)), unit_vectors(array(1), array(np.pi / 2))), np.pi / 2),
        (mean_angular_error(unit_vectors(array(1), array(2)), unit_vectors(array(1 + 2 * np.pi), array(2))), 0.0),
        (haversine_m(array([0, 0]), array([0, 180]))[0], np.pi * 6_371_000),
        (mean_percentile_error(array(0, 1, 2, 10), np.array(["a", "a", "a", "b"])), ((1 + 1.9) / 2 + 10) / 2),
        (pearson(array(1, 2, 3), array(-2, -4, -6)), -1.0),
        (pearson(array(1e200, 2e200, 3e200), array(1, 2, 3)), 1.0),
        (pearson(array(1, 1), array(1, 2)), NAN),
        (spearman(array(1, 10, 100), array(1, 2, 3)), 1.0),
        (spearman(np.array(["b", "a", "a"]), array(3, 1, 1)), 1.0),
        (spearman(array(-np.inf, np.inf), array(2, 1)), -1.0),
        (average_precision(["x", "a", "b"], {"a", "b"}, 5), (1 / 2 + 2 / 3) / 2),
        (average_precision(["a", "a"], {"a", "b", "c"}, 2), 1 / 2),
        (average_precision(["x", "x", "a"], {"a"}, 2), 0.0),
        (word_jaccard("The cat  sat", "the CAT ran"), 2 / 4),
        (word_jaccard("", "a"), 0.0),
        (word_jaccard(" ", ""), NAN),
        (kendall_tau([["b", "a"], ["c", "d"]], [["a", "b"], ["c", "d"]]), 0.0),
        (kendall_tau([["c", "b", "a"]], [["a", "b", "c"]]), -1.0),
        (kendall_tau([["a"]], [["a"]]), NAN),
    ],
)  # fmt: skip
def test_by_hand(found: float, expected: float) -> None:
    assert found == pytest.approx(expected, abs=1e-5, nan_ok=True)


def test_equal_to_the_library() -> None:
    labels = RANDOM.integers(0, 2, (40, 6))
    labels[:, 0] = 1
    scores = np.round(RANDOM.random((40, 6)), 1)
    theirs = metrics.label_ranking_average_precision_score(labels, scores, sample_weight=labels.sum(axis=1))
    assert lwlrap(scores, labels) == pytest.approx(theirs)
    flat = (scores.ravel(), labels.ravel())
    assert weighted_auroc(*flat, [0, 1], [1]) == pytest.approx(metrics.roc_auc_score(labels.ravel(), flat[0]))


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        ("", "", 0),
        ("", "abc", 3),
        ("kitten", "sitting", 3),
        ("Saturday", "Sunday", 3),
        ("naïve 😀", "naive", 3),
        ((2, 14, 20), (2, 20), 1),
        ("ab" * 200, "ba" * 200, 2),
    ],
)
def test_edit_distance(left: Any, right: Any, distance: int) -> None:
    assert (edit_distance(left, right), edit_distance(right, left)) == (distance, distance)


def test_tokens_that_share_a_hash_differ() -> None:
    assert (hash(-1), hash(1 << 61)) == (hash(-2), hash(1))
    assert edit_distance([-1, 1 << 61, 5], [-2, 1, 5]) == 2


def test_edit_distance_equals_the_table() -> None:
    for _ in range(200):
        left, right = ("".join(RANDOM.choice(list("abc"), RANDOM.integers(0, 9))) for _ in range(2))
        assert edit_distance(left, right) == by_table(left, right), (left, right)


def by_table(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, start=1):
        above, row = row, [i]
        for j, b in enumerate(right, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
    return row[-1]


def test_inversions() -> None:
    assert [count_inversions(ranks) for ranks in ([], [0, 1, 2], [2, 1, 0], [1, 0, 3, 2])] == [0, 0, 3, 2]


@pytest.mark.parametrize(
    ("cell", "normal"),
    [
        ("", ""),
        ("  ", ""),
        (" YES ", "YES"),
        ("3:007", "3:7"),
        (" 1 : 2 ", "1:2"),
        ("-1:2", "-1:2"),
        ("yes", None),
        ("12", None),
        ("1:2:3", None),
        ("1.0:2", None),
        ("1:", None),
    ],
)
def test_answers_to_questions(cell: str, normal: str | None) -> None:
    assert normalise(cell) == normal


def job(family: str, checks: dict[str, Any], params: dict[str, Any], targets: list[str]) -> Job:
    plain = {
        "competition": "made-up",
        "family": family,
        "params": params,
        "answers_format": "csv",
        "id_columns": ["id"],
        "target_columns": targets,
        "checks": checks,
        "limits": {},
    }
    return Job.from_dict(json.loads(json.dumps(plain)))


VOTES = job(
    "kl_divergence",
    {"ids": "same_set", "extra_columns": "kept", "range": [0, 1], "row_sum_decimals": 5},
    {},
    ["p", "q"],
)
BIAS = job(
    "bias_auroc", {"values": "numbers_or_blanks"}, {"labels": ["toxicity"], "reads": ["male"]}, ["prediction"]
)
KEPT = job("mcrmse", {"values": "parsable"}, {"reads": ["keep"], "scored": ["y"]}, ["y", "z"])
WEEKS = job(
    "laplace_log_likelihood", {"rows": "any", "values": "numbers_or_blanks"}, {"reads": ["who"]}, ["y", "c"]
)
CLASSES = job("lwlrap", {"extra_columns": "refused"}, {}, ["*"])
BUYERS = job("map_at_k", {"rows": "any", "ids": "superset", "values": "as_text"}, {"k": 3}, ["y"])
TRIPS = job("p50_p95_haversine", {"ids": "grouped"}, {}, ["lat", "lon"])
RANKS = job("mean_columnwise_spearman", {"ids": "ranked", "values": "present"}, {}, ["y"])
GESTURES = job("normalised_levenshtein", {"values": "as_text"}, {}, ["y"])
TAGS = job("micro_f1_multilabel", {"values": "text_or_empty"}, {}, ["y"])
WORDS = job("word_jaccard", {"values": "as_text_or_empty"}, {}, ["y"])
SENTENCES = job("mean_levenshtein", {"values": "text"}, {}, ["y"])
CANCER = job("probabilistic_f1", {"values": "numbers_or_blanks"}, {}, ["y"])
COUPLINGS = job("group_mean_log_mae", {"rows": "any", "ids": "joined"}, {"reads": ["type"]}, ["y"])
CELLS = job("kendall_tau", {"values": "as_text"}, {}, ["y"])

VOTES_TRUE = "id,p,q\na,1,1\na,2,0\nb,0,1\n"
BIAS_TRUE = "id,toxicity,male\na,0.9,1\nb,0.1,1\nc,0.5,0.2\nd,0,\n"
KEPT_TRUE = "id,y,z,keep\na,1,0,True\nb,2,0,False\nc,4,0,True\n"
WEEKS_TRUE = "id,who,y,c\nA_1,A,,0\nA_10,A,9,0\nA_2,A,5,0\nA_3,A,6,0\nA_9,A,8,0\nB_0,B,1,0\n"
BUYERS_TRUE = "id,y\nb,1 2\na,3\n"
TRIPS_TRUE = "id,lat,lon\nt,0,0\nt,1,0\nu,0,0\n"
TEXT_TRUE = "id,y\na,x y\nb,z\n"
WEEK_HEAD = "id,y,c\n"
BEST = -4.59507


@pytest.fixture
def verdict(tmp_path: Path) -> Callable[[Job, str, str], Verdict]:
    def grade(job: Job, answers: str, submission: str) -> Verdict:
        (tmp_path / "submission.csv").write_text(submission)
        (tmp_path / "answers.csv").write_text(answers)
        return grade_files(job, tmp_path / "submission.csv", tmp_path / "answers.csv")

    return grade


@pytest.mark.parametrize(
    ("job", "answers", "submission", "score"),
    [
        (VOTES, VOTES_TRUE, "id,p,q,more\na,0.5,0.5,0\na,1,0,0\nb,0,1,0\n", 0.0),
        (VOTES, VOTES_TRUE, "id,p,q\na,0.5,0.5\nb,0.5,0.5\nb,0,1\n", 0.23105),
        (BIAS, BIAS_TRUE, "id,prediction\na,1\nb,\nc,0.5\nd,0.49\n", 1.0),
        (BIAS, BIAS_TRUE, "id,toxicity\na,1\nb,-7\nc,5\nd,0\n", 1.0),
        (KEPT, KEPT_TRUE, "id,y,z\na,1,x\nb,x,x\nc,4_0,x\n", 25.45584),
        (KEPT, KEPT_TRUE, "id,y,z\nb,2,0\na,1,0\nc,4,0\n", 0.70711),
        (WEEKS, WEEKS_TRUE, WEEK_HEAD + "A_9,8,0\nA_10,9,\nA_3,6,-1\nB_0,1,0\nA_2,,0\nA_1,7,0\n", BEST),
        (WEEKS, WEEKS_TRUE, WEEK_HEAD + "B_0,1,0\nB_0,1,0\n", BEST),
        (CLASSES, "id,k,l\na,1,0\nb,1,1\n", "id,k,l\nb,1,2\na,3,4\n", 0.83333),
        (BUYERS, BUYERS_TRUE, "id,y\nnobody,9\na,3\nb,2 1 3\n", 1.0),
        (BUYERS, BUYERS_TRUE, "id,y\na,3\na,1\nb,2 1\n", 0.75),
        (TRIPS, TRIPS_TRUE, "id,lat,lon\nu,0,360\nt,0,0\nt,1,0\n", 0.0),
        (RANKS, "id,y\n1,1\n2,2\n3,3\n", "id,y\nx,a\ny,b\nz,c\n", 1.0),
        (RANKS, "id,y\n1,1\n2,2\n3,3\n", "id,y\n7,-inf\n8,0\n9,inf\n", 1.0),
        (GESTURES, "id,y\n1,2 3 4\n2,5\n", "id,y\n2,6\n1,2  4\n", 0.5),
        (TAGS, TEXT_TRUE, "id,y\nb,\na,y new\n", 0.5),
        (TAGS, TEXT_TRUE, "id,y\nb,\na,\n", 0.0),
        (WORDS, TEXT_TRUE, "id,y\na,Y\nb,Z z\n", 0.75),
        (SENTENCES, TEXT_TRUE, "id,y\na,x\nb,1\n", 1.5),
        (CANCER, "id,y\na,1\nb,0\n", "id,y\na,0.5\nb,\n", 0.0),
        (CANCER, "id,y\na,1\nb,0\n", "id,y\na,true\nb,false\n", 1.0),
        (COUPLINGS, "id,y,type\na,1,J\nb,2,K\n", "id,y\na,2\nb,3\nb,5\n", 0.34657),
        (CELLS, TEXT_TRUE, "id,y\na,y  x\nb,z\n", -1.0),
    ],
)
def test_scored(
    verdict: Callable[..., Verdict], tmp_path: Path, job: Job, answers: str, submission: str, score: float
) -> None:
    found = verdict(job, answers, submission)  # What is noted of its form is tested with the attacks.
    assert (found.outcome, found.score) == (Outcome.SCORED, score)
    assert problems_without_labels(job, tmp_path) == []


@pytest.mark.parametrize(
    ("job", "answers", "submission", "code", "message"),
    [
        (VOTES, VOTES_TRUE, "id,p,q\na,0.5,0.5\na,1,0\nc,0,1\n", "ids_differ", "1 id is absent (b); 1 row has"),
        (VOTES, VOTES_TRUE, "id,p,q\na,0.5,0.5\na,1,0\na,0,1\n", "ids_differ", "1 id is absent (b). Keep the ids"),
        (VOTES, VOTES_TRUE, "id,p,q\na,0.5,0.5\na,1,0.00001\nb,0,1\n", "row_sum", "(data row 2;"),
        (VOTES, VOTES_TRUE, "id,p,q,more\na,.5,.5,0\na,1,0,1\nb,0,1,0\n", "extra_column", "at position 4"),
        (VOTES, VOTES_TRUE, "id,p,q,more\na,.5,.5,x\na,1,0,x\nb,0,1,x\n", "extra_column", "at position 4"),
        (VOTES, VOTES_TRUE, "id,p,q\na,,1\na,1,0\nb,0,1\n", "missing_value", "data row 1"),
        (BIAS, BIAS_TRUE, "id,prediction,toxicity\na,1,1\n", "extra_column", "prediction and toxicity"),
        (BIAS, BIAS_TRUE, "id,score\na,1\n", "column_missing", "absent: prediction"),
        (BIAS, BIAS_TRUE.replace("0.9", "0.4"), "id,prediction\na,1\nb,0\nc,0\nd,0\n", "score_undefined", "one class"),
        (KEPT, KEPT_TRUE, "id,y,z\na,,0\nb,2,0\nc,4,0\n", "bad_scored_value", "A scored row holds"),
        (KEPT, KEPT_TRUE, "id,y\na,1\nb,2\nc,4\n", "column_missing", "absent: z"),
        (WEEKS, WEEKS_TRUE, WEEK_HEAD + "A_9,8,0\nA_5,8,0\n", "ids_differ", "(data row 2)"),
        (WEEKS, WEEKS_TRUE, WEEK_HEAD + "A_9,8,0\nA_9,8,0\nB_0,1,0\n", "rows_unpaired", "more than once"),
        (WEEKS, WEEKS_TRUE, WEEK_HEAD + "A_9,,0\n", "bad_scored_value", "A scored row holds"),
        (WEEKS, WEEKS_TRUE, WEEK_HEAD + "A_1,8,0\n", "score_undefined", "none of the rows that are scored"),
        (WEEKS, WEEKS_TRUE, WEEK_HEAD, "not_numeric", "Column y holds text"),
        (CLASSES, "id,k,l\na,1,0\n", "id,l,k\na,1,0\n", "column_order", "Column k is expected at position 2"),
        (BUYERS, BUYERS_TRUE, "id,y\nb,1\nc,1\n", "ids_differ", "an id that is scored is absent"),
        (TRIPS, TRIPS_TRUE, "id,lat,lon\nt,0,0\nu,1,0\nu,0,0\n", "ids_differ", "2 ids have another number of rows"),
        (TRIPS, TRIPS_TRUE, "id,lat,lon\nt,0,0\nt,1,0\nw,0,0\n", "ids_differ", "1 id is absent (u)"),
        (RANKS, "id,y\n1,1\n2,2\n", "id,y\n1,5\n2,5\n", "constant_column", "the same value in every row: y"),
        (RANKS, "id,y\n1,1\n2,2\n", "id,y\n1,5\n2,\n", "missing_value", "data row 2"),
        (RANKS, "id,y\n1,1\n2,1\n", "id,y\n1,5\n2,6\n", "score_not_finite", "not a finite number"),
        (GESTURES, "id,y\n1,2 3\n2,5\n", "id,y\n1,2\n2,\n", "not_integers", "2 cells do not hold integers"),
        (TAGS, TEXT_TRUE, "id,y\na,1\nb,2\n", "not_text", "holds no text at all"),
        (WORDS, "id,y\na,x\nb,\n", "id,y\na,x\nb,\n", "score_undefined", "empty in the predictions and"),
        (SENTENCES, TEXT_TRUE, "id,y\na,x\nb,null\n", "missing_value", "data row 2"),
        (SENTENCES, TEXT_TRUE, "id,y\na,1\nb,2\n", "not_text", "holds no text at all"),
        (CANCER, "id,y\na,1\nb,0\n", "id,y\na,-1\nb,-2\n", "out_of_range", "all values are negative"),
        (COUPLINGS, "id,y,type\na,1,J\nb,2,K\n", "id,y\na,1\nb,3\n", "score_not_finite", "predicted exactly"),
        (CELLS, TEXT_TRUE, "id,y\na,x x\nb,z\n", "cells_differ", "does not list exactly the cells"),
        (CELLS, TEXT_TRUE, "id,y\na,x\nb,z\n", "cells_differ", "does not list exactly the cells"),
    ],
)  # fmt: skip
def test_invalid(
    verdict: Callable[..., Verdict],
    tmp_path: Path,
    job: Job,
    answers: str,
    submission: str,
    code: str,
    message: str,
) -> None:
    found = verdict(job, answers, submission)
    assert (found.outcome, found.code) == (Outcome.INVALID, code), found
    assert message in found.message
    on_labels = code in (
        "bad_scored_value",
        "cells_differ",
        "rows_unpaired",
        "score_not_finite",
        "score_undefined",
    )
    told = [] if on_labels or "that is scored" in message else [found.message]
    assert problems_without_labels(job, tmp_path) == told


def problems_without_labels(job: Job, folder: Path) -> list[str]:
    """What the check says that knows only the shape of the answers."""
    outline = json.loads(json.dumps(outline_of(job, folder / "answers.csv")))
    return [each.message for each in problems_against(job, outline, folder / "submission.csv")]


QUESTIONS = [
    {"id": "7", "long": (3, 9), "short": [(4, 5), (6, 7)], "yes_no": "NONE"},
    {"id": "8", "long": (-1, -1), "short": [], "yes_no": "YES"},
]


def question(id: str, long: tuple[int, int], short: list[tuple[int, int]], yes_no: str) -> str:
    def span(tokens: tuple[int, int]) -> dict[str, int]:
        return {"start_token": tokens[0], "end_token": tokens[1]}

    annotation = {"long_answer": span(long), "short_answers": list(map(span, short)), "yes_no_answer": yes_no}
    return json.dumps({"example_id": id, "annotations": [annotation]})


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("3:9", "6:7", "", "YES"), 1.0),
        (("3:9", "5:4", "YES", ""), 0.25),
        (("", "", "", ""), 0.25),
        (("3:9", "6:7", "", "yes"), "not_a_span"),
    ],
)
def test_questions(tmp_path: Path, cells: tuple[str, ...], expected: float | str) -> None:
    rows = [
        f"{name},{cell}\n"
        for name, cell in zip(("7_long", "7_short", "8_long", "8_short"), cells, strict=True)
    ]
    (tmp_path / "submission.csv").write_text("example_id,PredictionString\n" + "".join(reversed(rows)))
    (tmp_path / "answers.jsonl").write_text("".join(question(**each) + "\n" for each in QUESTIONS))  # type: ignore[arg-type]
    found = grade_files(questions_job(), tmp_path / "submission.csv", tmp_path / "answers.jsonl")
    assert expected in (found.score, found.code)


def test_questions_that_cannot_be_read_are_ours(tmp_path: Path) -> None:
    (tmp_path / "submission.csv").write_text("example_id,PredictionString\n")
    for text in ("{", '{"example_id": 1}', "[]", "3"):
        (tmp_path / "answers.jsonl").write_text(text)
        found = grade_files(questions_job(), tmp_path / "submission.csv", tmp_path / "answers.jsonl")
        assert (found.code, found.message) == ("answers_unusable", "question 1 of the answers cannot be read")


def questions_job() -> Job:
    plain = job("micro_f1_binary_accuracy", {"values": "as_text_or_empty"}, {}, ["PredictionString"])
    return Job(**{**vars(plain), "answers_format": "jsonl", "id_columns": ("example_id",)})
