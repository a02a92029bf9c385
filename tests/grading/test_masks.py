"""Run-length masks, their scores by hand and against drawn images, distances against SciPy, and verdicts."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import directed_hausdorff

from grading.catalogue import job_for, shipped_competitions
from grading.graders.cells import BadCell
from grading.graders.dice import dice, global_dice
from grading.graders.dice_hausdorff import Stack, stack_distance
from grading.graders.grade import grade_files
from grading.graders.hausdorff import hausdorff_distance
from grading.graders.job import Job
from grading.graders.mask_f_beta import f_beta
from grading.graders.masks import Overlaps, compare_masks
from grading.graders.rle import Mask, count_common, cut_mask, expand_mask, merge_masks, parse_mask
from grading.graders.salt import salt_precision
from grading.graders.verdict import Outcome, Verdict

CONTRAILS = "google-research-identify-contrails-reduce-global-warming"
KIDNEY = "hubmap-kidney-segmentation"
INK = "vesuvius-challenge-ink-detection"
SALT = "tgs-salt-identification-challenge"
ORGANS = "uw-madison-gi-tract-image-segmentation"
ANSWERS = {
    CONTRAILS: "record_id,encoded_pixels,height,width\n7,1 4,4,4\n8,-,4,4\n",
    KIDNEY: "id,encoding,width_pixels,height_pixels\na,1 4,4,4\nb,,4,4\n",
    INK: "Id,Predicted,width,height\na,1 4,4,4\n",
    SALT: "id,rle_mask\na,1 100\nb,\n",
    ORGANS: (
        "id,class,predicted,image_width,image_height\n"
        "case1_day1_slice_1,stomach,1 1,2,2\ncase1_day1_slice_2,stomach,,2,2\ncase2_day1_slice_1,stomach,,3,2\n"
    ),
}


def drawn(mask: Mask) -> list[int]:
    return expand_mask(mask).tolist()


@pytest.mark.parametrize(
    ("text", "pixels"),
    [
        ("", []),
        ("  \t\n ", []),
        ("2 3", [1, 2, 3]),
        ("2 1 3 2", [1, 2, 3]),
        (" 2  1\t5\n1 ", [1, 4]),
        ("7", []),
        ("2 1 5", [1, 4]),
        ("+2 1_0", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("9 5", [8, 9]),
        ("11 5 12 1", []),
        ("9 999999999999999999999999", [8, 9]),
        ("9 4 12 4", [8, 9]),
        ("999999999999999999999 1", []),
    ],
)
def test_masks_are_cut_to_their_image(text: str, pixels: list[int]) -> None:
    assert drawn(cut_mask(parse_mask(text), 10)) == pixels


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 2 3 4 5", "odd"),
        ("5 1 2 1", "ascending"),
        ("0 3", "1 or more"),
        ("0", "1 or more"),
        ("3 0", "1 or more"),
        ("3 -1", "1 or more"),
        ("1.0 2", "no whole number"),
        ("-", "no whole number"),
        ("a 2", "no whole number"),
        ("9" * 5000 + " 1", "no whole number"),
        ("1 3 2 1", "overlap"),
        ("1 1 1 1", "overlap"),
    ],
)
def test_malformed_masks(text: str, reason: str) -> None:
    with pytest.raises(BadCell, match=reason):
        cut_mask(parse_mask(text), 10)


def random_mask(random: np.random.Generator) -> tuple[Mask, set[int]]:
    pixels = np.flatnonzero(random.random(60) < random.random())
    edges = np.diff(np.isin(np.arange(-1, 61), pixels).astype(int))
    mask = Mask(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1))
    return mask, set(pixels.tolist())


def test_runs_count_as_drawn_images_do() -> None:
    random = np.random.default_rng(5)
    for _ in range(200):
        (left, a), (right, b) = random_mask(random), random_mask(random)
        assert (left.area, count_common(left, right)) == (len(a), len(a & b))
        assert drawn(merge_masks([left, right, left])) == sorted(a | b)


def overlaps(predicted: list[str], true: list[str]) -> Overlaps:
    return compare_masks([parse_mask(each) for each in predicted], [parse_mask(each) for each in true])


@pytest.mark.parametrize(
    ("predicted", "true", "each", "pooled"),
    [
        (["1 4"], ["1 4"], [1.0], 1.0),
        (["1 4"], ["3 4"], [0.5], 0.5),
        (["1 4", "1 1"], ["3 4", ""], [0.5, 0.0], 4 / 9),
        (["", "1 2"], ["", "1 2"], [1.0, 1.0], 1.0),
        ([""], [""], [1.0], float("nan")),
    ],
)
def test_dice(predicted: list[str], true: list[str], each: list[float], pooled: float) -> None:
    found = overlaps(predicted, true)
    assert dice(found, both_empty=1.0).tolist() == each
    assert global_dice(found) == pytest.approx(pooled, nan_ok=True)


@pytest.mark.parametrize(
    ("predicted", "true", "score"),
    [("1 4", "1 4", 1.0), ("1 4", "3 4", 0.5), ("1 2", "1 8", 0.625), ("1 2", "5 2", 0.0), ("", "", 0.0)],
)
def test_f_beta(predicted: str, true: str, score: float) -> None:
    """For "1 2" of "1 8": P = 1, R = 1/4, F = 1.25 P R / (0.25 P + R) = 0.625."""
    assert f_beta(overlaps([predicted], [true]), 0.5).tolist() == [score]


@pytest.mark.parametrize(
    ("predicted", "true", "score"),
    [
        ("", "", 1.0),
        ("1 1", "", 0.0),
        ("1 100", "1 100", 1.0),
        ("1 50", "1 100", 0.0),
        ("1 51", "1 100", 0.1),
        ("1 60", "1 100", 0.2),
        ("1 61", "1 100", 0.3),
        ("1 95", "1 100", 0.9),
        ("", "1 100", 0.0),
        ("", "1 121", 0.3),
        ("", "1 200", 1.0),
    ],
)
def test_salt_thresholds_and_the_rule_on_empty_predictions(predicted: str, true: str, score: float) -> None:
    """Images of 200 pixels. An IoU of 0.6 passes 0.5 and 0.55 but not 0.6, which is 0.6000000000000001."""
    assert salt_precision(overlaps([predicted], [true]), np.array([200.0])).tolist() == [score]


def blobs(random: np.random.Generator, shape: tuple[int, int, int]) -> np.ndarray:
    grid, found = np.indices(shape), np.zeros(shape, dtype=bool)
    for _ in range(random.integers(1, 4)):
        centre, radius = random.integers(0, shape), random.integers(1, 12)
        found |= sum((grid[i] - centre[i]) ** 2 for i in range(3)) < radius**2
    return found


@pytest.mark.parametrize("seed", range(25))
def test_distances_equal_the_librarys(seed: int) -> None:
    random = np.random.default_rng(seed)
    shape = (int(random.integers(1, 12)), 50, 40)
    left, right = blobs(random, shape), blobs(random, shape)
    right |= random.random(shape) < (0.001 if seed % 3 == 0 else 0)
    a, b = np.argwhere(left), np.argwhere(right)
    expected = max(directed_hausdorff(*pair)[0] for pair in ((a / shape, b / shape), (b / shape, a / shape)))
    assert hausdorff_distance(a, b, shape) == pytest.approx(expected, abs=1e-12)


def stack(*slices: str, height: int = 2, width: int = 2) -> Stack:
    return Stack(height, width, [parse_mask(each) for each in slices])


@pytest.mark.parametrize(
    ("predicted", "true", "distance"),
    [
        (stack("", ""), stack("", ""), float("nan")),
        (stack("1 2"), stack("1 2"), 0.0),
        (stack(""), stack("1 2"), 1.0),
        (stack("1 2"), stack(""), 1.0),
        (stack("1 11", height=6), stack("1 1", height=6), 1.0),
        (stack("1 1", ""), stack("", "1 1"), 0.5 / 3**0.5),
        (stack("2 1"), stack("1 1"), 0.5 / 3**0.5),
        (stack("3 1"), stack("1 1", width=4), 0.25 / 3**0.5),
        (stack("1 1", "", "1 1"), stack("1 1"), 2 / 3**0.5),
    ],
)
def test_stack_distances(predicted: Stack, true: Stack, distance: float) -> None:
    assert stack_distance(predicted, true, 10) == pytest.approx(distance, nan_ok=True)


@pytest.fixture
def verdict(tmp_path: Path) -> Callable[[str, str], Verdict]:
    def grade(competition: str, submission: str) -> Verdict:
        (tmp_path / "submission.csv").write_text(submission)
        (tmp_path / "answers.csv").write_text(ANSWERS[competition])
        job = Job.from_dict(json.loads(json.dumps(job_for(shipped_competitions()[competition]))))
        return grade_files(job, tmp_path / "submission.csv", tmp_path / "answers.csv")

    return grade


@pytest.mark.parametrize(
    ("competition", "submission", "score"),
    [
        (CONTRAILS, "record_id,encoded_pixels\n8,-\n7,3 4\n", 0.5),
        (CONTRAILS, "encoded_pixels,record_id,height\n1 99999999999,7,x\n5,8,x\n", 0.4),
        (KIDNEY, "id,predicted\nb,\na,3 4\n", 0.75),
        (KIDNEY, "id,predicted\na,\nb,\n", 0.5),
        (INK, "Id,Predicted\na,1 2\n", 0.83333),
        (INK, "Id,Predicted\na,  \n", 0.0),
        (SALT, "id,rle_mask\na,1 51\nb,\n", 0.55),
        (ORGANS, ANSWERS[ORGANS], 1.0),
        (ORGANS, "id,class,predicted\ncase1_day1_slice_1,x,2 1\n", 0.42679),
        (ORGANS, ANSWERS[ORGANS] + "case2_day1_slice_1,x,malformed,9,9\n", 1.0),
    ],
)
def test_scored(
    verdict: Callable[[str, str], Verdict], competition: str, submission: str, score: float
) -> None:
    found = verdict(competition, submission)  # What is noted of its form is tested with the attacks.
    assert (found.outcome, found.score) == (Outcome.SCORED, score)


@pytest.mark.parametrize(
    ("competition", "submission", "code", "message"),
    [
        (CONTRAILS, "record_id,encoded_pixels\n7,1 1\n8,\n", "missing_value", "(data row 2)"),
        (CONTRAILS, "record_id,encoded_pixels\n7,1\n8,1\n", "not_text", "Column encoded_pixels"),
        (CONTRAILS, "record_id,encoded_pixels\n7,-\n8,-\n", "", ""),
        (CONTRAILS, "record_id,encoded_pixels\n8,2 1 1 1\n7,sec ret\n", "malformed_cell", "2 cells malformed (data row 1, 2). In data row 1: the runs are not"),  # noqa: E501
        (CONTRAILS, "record_id,encoded_pixels\n7,1 1\n8,1 3 2 1\n", "runs_overlap", "1 mask with overlapping runs (data row 2)"),  # noqa: E501
        (KIDNEY, "id,predicted\na,-\nb,\n", "malformed_cell", "no whole number"),
        (KIDNEY, "id,predicted\na,1\nb,\n", "not_text", "Column predicted"),
        (INK, "Id,Predicted\na,\n", "missing_value", "Column Predicted"),
        (INK, "Id,Predicted\na,5\n", "not_text", "Column Predicted"),
        (INK, "Id,Predicted,w\na,1 1,2\n", "extra_column", "(position 3)"),
        (INK, "Id,Predicted\nb,1 1\n", "ids_differ", "1 id is absent (a)"),
        (SALT, "id,rle_mask\n1,1 1\n2,\n", "ids_differ", "the ids of this competition are text"),
        (ORGANS, "id,class,predicted\n", "score_not_finite", "not a finite number"),
        (ORGANS, "id,predicted\na,1 1\n", "column_missing", "class"),
        (ORGANS, "id,class,predicted\na,x,1 1\n,x,\n", "ids_unusable", "1 row has no id (data row 2)"),
        (ORGANS, "id,class,predicted\n1,x,1 1\n", "ids_unusable", "no text at all"),
        (ORGANS, "id,class,predicted\na,x,1 1\na,x,\na,x,\n", "sizes_differ", "different sizes"),
        (ORGANS, "id,class,predicted\na,x,1 2 1 1\n", "runs_overlap", "(data row 1)"),
    ],
)  # fmt: skip
def test_invalid(
    verdict: Callable[[str, str], Verdict], competition: str, submission: str, code: str, message: str
) -> None:
    found = verdict(competition, submission)
    if not code:
        assert found == Verdict(Outcome.SCORED, score=0.0)
        return
    assert (found.outcome, found.code) == (Outcome.INVALID, code)
    assert message in found.message
    assert "sec" not in found.message
