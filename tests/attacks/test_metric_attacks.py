"""Files that know nothing of the answers, and whose score says otherwise: scored as in the benchmark, and found."""

from pathlib import Path

import numpy as np
import pytest

from grading.catalogue import job_for, shipped_competitions
from grading.graders.grade import grade_files
from grading.graders.job import Job
from grading.graders.rotated_boxes import box_overlaps
from grading.graders.verdict import Outcome, Verdict
from grading.models import Grading
from leaderboard.models import Finding
from leaderboard.review import open_review
from tests.factories import NOW, make_benchmark, make_team
from tests.leaderboard.findings.test_raising import graded

COVID = "siim-covid19-detection"
CHEST = "vinbigdata-chest-xray-abnormalities-detection"
SEISMIC = "predict-volcanic-eruptions-ingv-oe"
LUNGS = "osic-pulmonary-fibrosis-progression"
ORGANS = "uw-madison-gi-tract-image-segmentation"
WEEKS = "".join(f"p{p}_{w},p{p},{w},{2000 + 90 * p * w},100\n" for p in range(4) for w in range(4))
SLICES = "".join(f"case1_day{d}_slice_0001,large_bowel,1 4,4,4\n" for d in range(3))
ANSWERS = {
    COVID: "id,PredictionString\n"
    + "".join(f"{i},opacity 1 0 0 9 9\n{i}x,none 1 0 0 1 1\n" for i in range(9)),
    CHEST: "image_id,class_id,class_name,rad_id,x_min,y_min,x_max,y_max\n"
    + "".join(f"{i},3,x,R1,{600 + 40 * i},700,{800 + 40 * i},900\n" for i in range(9)),
    SEISMIC: "segment_id,time_to_eruption\n1,10\n2,20\n3,3000\n",
    LUNGS: f"Patient_Week,Patient,Weeks,FVC,Confidence\n{WEEKS}",
    ORGANS: f"id,class,predicted,image_height,image_width\n{SLICES}",
}
ANYWHERE = "opacity {c} 50 50 60 60 none {c} 50 50 60 60"
BOXES = " ".join(f"3 0.5 {x} 650 {{x}} 950" for x in range(500, 1100, 20))


def judge(competition: str, rows: list[str], folder: Path) -> Verdict:
    submission, answers = folder / "submission.csv", folder / "answers.csv"
    submission.write_text("\n".join(rows) + "\n")
    answers.write_text(ANSWERS[competition])
    return grade_files(Job.from_dict(job_for(shipped_competitions()[competition])), submission, answers)


def covid(confidence: float) -> list[str]:
    ids = [line.partition(",")[0] for line in ANSWERS[COVID].splitlines()[1:]]
    return ["id,PredictionString", *(f"{each},{ANYWHERE.format(c=confidence)}" for each in ids)]


def chest(right: str) -> list[str]:
    return ["image_id,PredictionString", *(f"{i},{BOXES.format(x=right)}" for i in range(9))]


def lungs(ids: list[str]) -> list[str]:
    return ["Patient_Week,FVC,Confidence", *(f"{each},2000,70" for each in ids)]


def organs(ids: list[str]) -> list[str]:
    return ["id,class,predicted", *(f"{each},large_bowel,1 4" for each in ids)]


ALL_WEEKS = [line.partition(",")[0] for line in WEEKS.splitlines()]
ALL_SLICES = [line.partition(",")[0] for line in SLICES.splitlines()]
ODD = {
    "boxes anywhere, behind all that were missed": (COVID, covid(-1), "confidence_below_zero"),
    "boxes anywhere": (COVID, covid(0.5), ""),
    "as many turned boxes as may be": (CHEST, chest("499"), "boxes_turned"),
    "as many boxes as may be": (CHEST, chest("1200"), ""),
    "a sure row often": (
        SEISMIC,
        ["segment_id,time_to_eruption", "2,9", "3,9", *["1,9"] * 50],
        "rows_repeated",
    ),
    "each row once": (SEISMIC, ["segment_id,time_to_eruption", "2,9", "3,9", "1,9"], ""),
    "the easy patient": (LUNGS, lungs(ALL_WEEKS[:4]), "rows_left_out"),
    "a row that is not scored twice": (LUNGS, lungs([ALL_WEEKS[0], *ALL_WEEKS]), "rows_repeated"),
    "all patients": (LUNGS, lungs(ALL_WEEKS), ""),
    "the first slice": (ORGANS, organs(ALL_SLICES[:1]), "rows_left_out"),
    "all slices as one": (ORGANS, organs(ALL_SLICES[:1] * 3), "ids_moved"),
    "all slices": (ORGANS, organs(ALL_SLICES), ""),
}


@pytest.mark.parametrize(("competition", "rows", "note"), ODD.values(), ids=ODD.keys())
def test_a_form_that_the_metric_pays_for_is_noted(
    competition: str, rows: list[str], note: str, tmp_path: Path
) -> None:
    verdict = judge(competition, rows, tmp_path)
    assert (verdict.outcome, verdict.code) == (Outcome.SCORED, note)


def test_what_such_a_form_is_worth(tmp_path: Path) -> None:
    """As in the benchmark, which is why no score can be believed by itself."""
    assert judge(COVID, covid(-1), tmp_path).score == 1.0
    honest, played = (judge(CHEST, chest(right), tmp_path).score for right in ("1200", "499"))
    assert honest is not None
    assert played is not None
    assert played > 3 * honest


@pytest.mark.django_db
def test_a_noted_run_is_a_finding_of_the_review() -> None:
    benchmark = make_benchmark()
    submission = graded(make_team(), benchmark, {"0": b"played", "1": b"honest"})
    played = Grading.objects.filter(runs__submission=submission, runs__seed="0")
    assert played.update(code="rows_left_out") == 1
    assert open_review(submission, NOW)
    found = Finding.objects.get(submission=submission, code="odd-form")
    assert found.evidence == {"runs": [f"0/{benchmark.slug}-a"], "form": "rows_left_out"}


@pytest.mark.parametrize("length", [1e6, 1e12, 1e17, 10**17.5])
@pytest.mark.parametrize("side", [3, 4], ids=["width", "length"])
def test_no_needle_too_long_for_its_digits_overlaps_whatever_there_is(length: float, side: int) -> None:
    """Of the volume of a car, and so long that where it runs is noise: it overlapped up to one box in thirty wholly."""
    random = np.random.default_rng(0)
    places, turns = random.uniform((1950, 950), (2050, 1050), (400, 2)), random.uniform(-3, 3, 400)
    cars = np.array([[x, y, -17.5, 1.9, 4.7, 1.7, yaw] for (x, y), yaw in zip(places, turns, strict=True)])
    needles = np.array([[2000, 1000, -17.5, 9 / length, 9 / length, 2, yaw] for yaw in np.linspace(0, 3, 20)])
    needles[:, side] = length
    assert box_overlaps(needles, cars, 0.5).max() <= 0.5
