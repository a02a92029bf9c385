"""Points and boxes: scores by hand and against a library, and verdicts with their messages."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from grading.catalogue import job_for, shipped_competitions
from grading.graders import map_3d, map_coco, map_voc, rotated_boxes
from grading.graders.cells import BadCell
from grading.graders.grade import grade_files
from grading.graders.job import Job
from grading.graders.kuzushiji import BOXES, Counts, count_page, f1, parse_points
from grading.graders.map_coco import Boxes, Scoring, class_precision, find_outside, interpolated_precision
from grading.graders.objects import parse_objects
from grading.graders.outline import problems_against
from grading.graders.verdict import Outcome, Verdict
from grading.shape import shape_of_answers

CHARACTERS = "kuzushiji-recognition"
COVID = "siim-covid19-detection"
CHEST = "vinbigdata-chest-xray-abnormalities-detection"
CARS = "3d-object-detection-for-autonomous-vehicles"
ANSWERS = {
    CHARACTERS: "image_id,labels\na,U+A 0 0 10 10 U+B 0 0 10 10\nb,\n",
    COVID: "id,PredictionString\na,opacity 1 0 0 10 10\nb,none 1 0 0 1 1\n",
    CHEST: (
        "image_id,class_id,class_name,rad_id,x_min,y_min,x_max,y_max\n"
        "a,3,x,R1,0,0,10,10\na,3,x,R1,50,50,60,60\nb,14,x,R1,0,0,1,1\n"
    ),
    CARS: "Id,PredictionString\na,1.0 0 0 0 2 4 2 0 car\nb,1.0 5 5 0 2 4 2 1 bus\n",
}
FINE = "0.9 0 0 0 2 4 2 0 car"


@pytest.mark.parametrize(
    ("points", "boxes", "counts"),
    [
        ("A 5 5", "A 0 0 10 10", Counts(1, 1, 1)),
        ("B 5 5", "A 0 0 10 10", Counts(0, 1, 1)),
        ("A 0 5 A 10 5 A 5 0 A 5 10", "A 0 0 10 10", Counts(0, 4, 1)),
        ("A 5 5 A 6 6", "A 0 0 10 10", Counts(1, 2, 1)),
        ("A 5 5", "A 0 0 10 10 A 1 1 10 10", Counts(1, 1, 2)),
        ("A nan 5 A inf 5", "A 0 0 10 10", Counts(0, 2, 1)),
        ("", "A 0 0 10 10", Counts(0, 0, 1)),
        ("A 5 5", "", Counts(0, 1, 0)),
    ],
)
def test_points_in_boxes(points: str, boxes: str, counts: Counts) -> None:
    assert count_page(parse_points(points), parse_objects(boxes, BOXES)) == counts


def test_f1() -> None:
    assert f1(1, 2, 4) == pytest.approx(1 / 3)
    assert f1(0, 0, 0) == 0.0


@pytest.mark.parametrize(
    ("parse", "text", "reason"),
    [
        (parse_points, "A 1", "multiple of 3"),
        (parse_points, "A 1 1 ", "multiple of 3"),
        (parse_points, "A  1 1 B 1", "is none"),
        (parse_points, "A x 1", "is none"),
        (map_voc.parse_boxes, "opacity 1 0 0 1", "multiple of 6"),
        (map_voc.parse_boxes, "opacity x 0 0 1 1", "is none"),
        (map_coco.parse_boxes, "1 1 0 0 1 1 ", "multiple of 6"),
        (map_coco.parse_boxes, "x 1 0 0 1 1", "a class is no number"),
        (map_coco.parse_boxes, "1 1 nan 0 1 1", "NaN or infinite"),
        (map_coco.parse_boxes, "inf 1 0 0 1 1", "NaN or infinite"),
        (map_3d.parse_boxes, FINE + " ", "multiple of 9"),
        (map_3d.parse_boxes, "0.9 0 0 0 2 4 2 inf car", "yaw"),
        (map_3d.parse_boxes, "x 0 0 0 2 4 2 0 car", "is none"),
    ],
)
def test_malformed_lists(parse: Callable[[str], object], text: str, reason: str) -> None:
    with pytest.raises(BadCell, match=reason):
        parse(text)


def test_blank_lists() -> None:
    assert parse_points("").numbers.shape == (0, 2)
    assert map_3d.parse_boxes("  ").numbers.shape == map_3d.parse_boxes("").numbers.shape == (0, 8)
    assert map_voc.parse_boxes(" ").numbers.shape == (0, 5)


def test_average_precision_equals_the_library() -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        outcomes, scores = random.integers(0, 2, 30), np.round(random.normal(size=30), 1)
        outcomes[0] = 1
        assert map_voc.average_precision(outcomes.astype(float), scores) == pytest.approx(
            average_precision_score(outcomes, scores), abs=1e-12
        )


@pytest.mark.parametrize(
    ("predicted", "true", "overlap"),
    [
        ((0, 0, 10, 10), (0, 0, 10, 10), 1.0),
        ((0, 0, 10, 5), (0, 0, 10, 10), 0.5),
        ((5, 5, 15, 15), (0, 0, 10, 10), 25 / 175),
        ((10, 0, 20, 10), (0, 0, 10, 10), 0.0),
        ((10, 10, 0, 0), (0, 0, 10, 10), 0.0),
        ((0, 0, 0, 0), (0, 0, 10, 10), 0.0),
        ((float("nan"), 0, 10, 10), (0, 0, 10, 10), 0.0),
        ((float("-inf"), 0, float("inf"), 10), (0, 0, 10, 10), 0.0),
    ],
)
def test_box_overlaps(predicted: tuple[float, ...], true: tuple[float, ...], overlap: float) -> None:
    assert map_voc.box_overlaps(np.array([predicted], float), np.array([true], float))[0, 0] == overlap


@pytest.mark.parametrize(
    ("overlaps", "matched"),
    [
        ([[0.6, 0.9], [0.7, 0.8]], [True, True]),
        ([[0.6, 0.0], [0.7, 0.0]], [True, False]),
        ([[0.5, 0.5]], [False]),
    ],
)
def test_matching_takes_the_best_free_box(overlaps: list[list[float]], matched: list[bool]) -> None:
    assert map_voc.match_boxes(np.array(overlaps), 0.5) == matched


def boxes(*rows: tuple[int, float, float, float, float], scores: tuple[float, ...] = (), first: bool = False) -> Boxes:  # fmt: skip  # noqa: E501
    """Boxes as image, x, y, width, height; `first`: they begin with number 0."""
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    numbers = np.arange(len(table)) if first else np.arange(1, len(table) + 1)
    confidences = np.array(scores or np.zeros(len(table)))
    return Boxes(table[:, 0].astype(int), table[:, 1:], numbers == 0, confidences, find_outside(table[:, 1:]))


A, B, FAR = (0, 1, 1, 9, 9), (0, 20, 20, 29, 29), (0, 90, 90, 99, 99)


@pytest.mark.parametrize(
    ("guesses", "true", "precision"),
    [
        (boxes(A, B, scores=(0.9, 0.8)), boxes(A, B), 1.0),
        (boxes(), boxes(A), 0.0),
        (boxes(A, scores=(0.9,)), boxes(A, B), 51 / 101),
        (boxes(FAR, A, scores=(0.9, 0.8)), boxes(A), 0.5),
        # Number 0: the guess that takes the first true box is wrong, the true box the first guess takes stays free.
        (boxes(A, scores=(0.9,)), boxes(A, first=True), 0.0),
        (boxes(A, A, scores=(0.9, 0.8), first=True), boxes(A, B), 1.0),
        # A wrong guess whose corners are swapped does not count; a right one does.
        (boxes((0, 90, 90, 10, 99), A, scores=(0.9, 0.8)), boxes(A), 1.0),
        (boxes((1, *A[1:]), scores=(0.9,)), boxes(A), 0.0),
    ],
)
def test_coco_precision(guesses: Boxes, true: Boxes, precision: float) -> None:
    assert class_precision(guesses, true, Scoring(0.4, 100, 101)) == pytest.approx(precision)


def test_only_the_most_confident_guesses_of_an_image_are_looked_at() -> None:
    guesses = boxes(FAR, A, scores=(0.9, 0.8))
    assert class_precision(guesses, boxes(A), Scoring(0.4, 1, 101)) == 0.0


def test_interpolated_precision() -> None:
    """Precision 1 up to recall 1/2 (51 points), 2/3 up to recall 1 (50 points)."""
    right = np.array([True, False, True])
    assert interpolated_precision(right, 2, 101) == pytest.approx((51 + 50 * 2 / 3) / 101)


CUT = 2 * (3 - 8**0.5) ** 2  # what a square 4 wide, turned by 45 degrees, leaves out of 4 by 2: four corners


@pytest.mark.parametrize(
    ("moved", "overlap"),
    [
        ((0, 0, 0, 2, 4, 2, 0), 1.0),
        ((0, 0, 0, 2, 4, 2, np.pi), 1.0),
        ((0, 0, 0, 4, 2, 2, np.pi / 2), 1.0),
        ((0, 0, 1, 2, 4, 2, 0), 1 / 3),
        ((2, 0, 0, 2, 4, 2, 0), 1 / 3),
        ((0, 0, 0, 2, 4, 2, np.pi / 2), 1 / 3),
        ((0, 0, 0, 4, 4, 2, np.pi / 4), (8 - CUT) / (24 - (8 - CUT))),
        ((0, 0, 0, 1, 1, 1, 0.3), 1 / 16),
        ((9, 0, 0, 2, 4, 2, 0), 0.0),
        ((0, 0, 9, 2, 4, 2, 0), 0.0),
        ((0, 0, np.inf, 2, 4, 2, 0), 0.0),
        ((0, 0, 0, 2, 4, np.inf, 0), 0.0),
    ],
)
def test_overlaps_in_space(moved: tuple[float, ...], overlap: float) -> None:
    """Against a box 2 wide, 4 long and 2 high; moved ones are seen from both sides."""
    left, right = np.array([(0, 0, 0, 2, 4, 2, 0)], float), np.array([moved], float)
    for pair in ((left, right), (right, left)):
        assert rotated_boxes.box_overlaps(*pair)[0, 0] == pytest.approx(overlap, abs=1e-12)


def test_overlaps_of_many_lists_are_those_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        rotated_boxes, "PAIRS", 5
    )  # So that lists are filled by parts, and parts hold several.
    random = np.random.default_rng(2)
    lists = [
        tuple(
            np.column_stack(
                (random.uniform(0, 6, (n, 3)), random.uniform(1, 4, (n, 3)), random.uniform(-3, 3, n))
            )
            for n in (left, right)
        )
        for left, right in ((4, 3), (0, 2), (9, 1), (1, 9))
    ]
    together = rotated_boxes.overlaps_of_lists(lists)
    assert any((each > 0).any() for each in together)
    for each, (left, right) in zip(together, lists, strict=True):
        alone = np.array([[rotated_boxes.box_overlaps(a[None], b[None])[0, 0] for b in right] for a in left])
        assert np.array_equal(each, alone.reshape(each.shape))
        # Only those that cannot exceed the least may be left out.
        some = rotated_boxes.box_overlaps(left, right, 0.3)
        assert np.array_equal(some > 0.3, each > 0.3)
        assert np.array_equal(some[some > 0], each[some > 0])


@pytest.mark.parametrize("number", [3, 200], ids=["few", "many"])
def test_points_are_used_once_however_many(number: int) -> None:
    points = " ".join(["A 5 5"] * number)
    boxes = " ".join(["A 0 0 10 10"] * (number - 1))
    assert count_page(parse_points(points), parse_objects(boxes, BOXES)) == Counts(
        number - 1, number, number - 1
    )


@pytest.mark.parametrize(
    ("guesses", "precision"),
    [
        (FINE, 1.0),
        ("", 0.0),
        ("0.9 0 0 0 2 4 2 0 bus", 0.0),
        (f"{FINE} 1.0 9 9 9 1 1 1 0 car", 0.5),
        (f"{FINE} 0.8 9 9 9 1 1 1 0 car", 1.0),
        (f"{FINE} {FINE}", 1.0),
        ("0.9 0 0 0.5 2 4 2 0 car", 0.5),
        (f"{FINE} 0.8 0 0 0 -2 4 2 0 bus", 1.0),
    ],
)
def test_sample_precision(guesses: str, precision: float) -> None:
    """Half a metre up overlaps 1.5 / 2.5 = 0.6, above one of the two thresholds."""
    true = map_3d.parse_boxes("1.0 0 0 0 2 4 2 0 car")
    assert map_3d.sample_precision(map_3d.parse_boxes(guesses), true, [0.5, 0.7]) == precision


def job(competition: str) -> Job:
    return Job.from_dict(json.loads(json.dumps(job_for(shipped_competitions()[competition]))))


@pytest.fixture
def verdict(tmp_path: Path) -> Callable[[str, str], Verdict]:
    def grade(competition: str, submission: str) -> Verdict:
        (tmp_path / "submission.csv").write_text(submission)
        (tmp_path / "answers.csv").write_text(ANSWERS[competition])
        return grade_files(job(competition), tmp_path / "submission.csv", tmp_path / "answers.csv")

    return grade


@pytest.mark.parametrize(
    ("competition", "submission", "score"),
    [
        (CHARACTERS, "image_id,labels\nb,\na,U+A 5 5 U+B 1 1\n", 1.0),
        (CHARACTERS, "image_id,labels\nb,U+A 5 5\na,U+A 5 5\n", 0.5),
        (CHARACTERS, "image_id,labels\nb,\na,\n", 0.0),
        (COVID, "id,PredictionString\na,opacity 1 0 0 10 10\nb,none 1 0 0 1 1\n", 1.0),
        (COVID, "id,PredictionString\na,opacity 1 0 0 10 10  never 1 0 0 1 1\nb, \n", 0.75),
        (CHEST, "image_id,PredictionString\na,3 1 0 0 10 10 3 1 50 50 60 60\nb,14 1 0 0 1 1\n", 0.62624),
        (CHEST, "image_id,PredictionString\nb,14.9 1 0 0 1 1\na,3 1 0 0 10 10\na,3 1 50 50 60 60\n", 0.62624),
        (CARS, f"Id,PredictionString\nb,\na,{FINE}\n", 0.5),
    ],
)
def test_scored(
    verdict: Callable[[str, str], Verdict], competition: str, submission: str, score: float
) -> None:
    assert verdict(competition, submission) == Verdict(Outcome.SCORED, score=score)


@pytest.mark.parametrize(
    ("competition", "submission", "code", "message"),
    [
        (CHARACTERS, "image_id,labels\na,U+A 5 5\nb,secret 1\n", "malformed_cell", "Column labels: 1 cell malformed (data row 2)"),  # noqa: E501
        (CHARACTERS, "image_id,labels\na,5\nb,\n", "not_text", "Column labels"),
        (COVID, "id,PredictionString\na,opacity 1 0 0 1 1\nb,\n", "missing_value", "(data row 2)"),
        (COVID, "id,PredictionString\nb,none 1 0 0 1 1\na,opacity nan 0 0 secret 1\n", "malformed_cell", "data row 2"),
        (COVID, "id,PredictionString\nb,none 1 0 0 1 1\na,opacity nan 0 0 1 1\n", "bad_confidence", "NaN or infinite"),
        (CHEST, "image_id,PredictionString\na,3 1 0 0 1 1\n", "ids_differ", "1 id is absent (b)"),
        (CHEST, "image_id,PredictionString\na,3 1 0 0 1 1\nb,\n", "missing_value", "(data row 2)"),
        (CHEST, "image_id,PredictionString\na,3 1 0 0 1\nb,1 1 1 1 1 1\n", "malformed_cell", "multiple of 6"),
        (CARS, f"Id,PredictionString\na,{FINE}\nb,{FINE} secret\n", "malformed_cell", "(data row 2)"),
        (CARS, "Id,PredictionString\na,0.9 0 0 0 0 4 2 0 car\nb,\n", "bad_box", "above 0"),
        (CARS, "Id,PredictionString\na,0.9 nan 0 0 2 4 2 0 car\nb,\n", "bad_box", "finite"),
    ],
)  # fmt: skip
def test_invalid(
    verdict: Callable[[str, str], Verdict], competition: str, submission: str, code: str, message: str
) -> None:
    found = verdict(competition, submission)
    assert (found.outcome, found.code) == (Outcome.INVALID, code)
    assert message in found.message
    assert "secret" not in found.message


def test_what_labels_decide_names_no_row(verdict: Callable[[str, str], Verdict]) -> None:
    for competition, submission in (
        (COVID, "id,PredictionString\nb,none 1 0 0 1 1\na,opacity nan 0 0 1 1\n"),
        (CARS, "Id,PredictionString\na,0.9 0 0 0 0 4 2 0 car\nb,\n"),
    ):
        assert "row" not in verdict(competition, submission).message


def test_the_shape_hides_how_many_boxes_an_image_has(tmp_path: Path) -> None:
    spec, path = shipped_competitions()[CHEST], tmp_path / "answers.csv"
    path.write_text(ANSWERS[CHEST])
    shape = shape_of_answers(spec, path)
    assert (shape["rows"], shape["cells"]) == (2, {"image_id": ["a", "b"]})
    path.write_text("image_id,PredictionString\na,3 1 0 0 1 1\na,3 1 0 0 1 1\nb,x\n")
    assert [problem.code for problem in problems_against(Job.from_dict(job_for(spec)), shape, path)] == [
        "malformed_cell"
    ]
