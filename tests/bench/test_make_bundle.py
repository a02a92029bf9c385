"""Made-up answers and predictions: every competition has a size and a recipe, and grading takes what they make."""

import csv
import filecmp
import tarfile
from pathlib import Path

import numpy as np
import pytest

from bench.made_up.words import make_hex, make_ids, make_numbers
from bench.make_bundle import Pair, make_files, member_ids, pack_bundle, run_card
from bench.rows import Size, sizes
from grading.catalogue import job_for, shipped_competitions
from grading.graders.grade import grade_files
from grading.graders.job import Job
from grading.graders.verdict import Outcome
from grading.shape import shape_of_answers
from grading.usable import require_usable
from submissions.run_card.parse import parse_run_card

TINY = 0.0001
TAXI = "new-york-city-taxi-fare-prediction"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    """The two files of every competition, as small as they get."""
    out = tmp_path_factory.mktemp("made")
    names = sorted(sizes())
    return {pair.competition: pair for pairs in make_files(out, names, 1, TINY) for pair in pairs}


def test_every_competition_has_a_size_with_its_source() -> None:
    assert set(member_ids(dev=True)) <= sizes().keys() <= shipped_competitions().keys()
    assert all(size.source for size in sizes().values())


def test_what_the_catalogue_knows_is_no_assumption() -> None:
    known = {name: rows for name in sizes() if (rows := shipped_competitions()[name].test_rows)}
    assert {name: sizes()[name].rows for name in known} == known
    assert not [name for name in known if sizes()[name].is_assumption]


@pytest.mark.parametrize("name", sorted(sizes()))
def test_the_answers_can_be_loaded_and_the_predictions_are_scored(made: dict[str, Pair], name: str) -> None:
    spec, pair = shipped_competitions()[name], made[name]
    assert shape_of_answers(spec, pair.answers)["rows"] > 0
    require_usable(spec, pair.answers)
    verdict = grade_files(Job.from_dict(job_for(spec)), pair.submission, pair.answers)
    assert (verdict.outcome, verdict.message) == (Outcome.SCORED, "")


def test_the_predictions_are_imperfect(made: dict[str, Pair]) -> None:
    """Scored against itself the truth of a log loss is 0, of an RMSE 0, of an accuracy 1."""
    scores = {
        name: grade_files(
            Job.from_dict(job_for(shipped_competitions()[name])), made[name].submission, made[name].answers
        ).score
        for name in (TAXI, "dog-breed-identification", "herbarium-2020-fgvc7")
    }
    assert all(score not in (0.0, 1.0, None) for score in scores.values()), scores


def test_rows_are_in_another_order(made: dict[str, Pair]) -> None:
    orders = []
    for path in (made[TAXI].answers, made[TAXI].submission):
        with path.open(encoding="utf-8") as lines:
            orders.append([row["key"] for row in csv.DictReader(lines)])
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])


def test_the_same_seed_makes_the_same_files(tmp_path: Path) -> None:
    first, again, other = (
        next(make_files(tmp_path / each, [TAXI], 2, 0.01, seed))
        for each, seed in (("a", 0), ("b", 0), ("c", 1))
    )
    for mine, same, different in zip(first, again, other, strict=True):
        assert filecmp.cmp(mine.answers, same.answers, shallow=False)
        assert filecmp.cmp(mine.submission, same.submission, shallow=False)
        assert not filecmp.cmp(mine.answers, different.answers, shallow=False)
    assert not filecmp.cmp(first[0].submission, first[1].submission, shallow=False)


def test_a_bundle_is_laid_out_as_teams_upload_it(tmp_path: Path) -> None:
    next(make_files(tmp_path, [TAXI], 2, 0.01))
    pack_bundle(tmp_path / "bundle.tar.gz", tmp_path / "runs", 2)
    with tarfile.open(tmp_path / "bundle.tar.gz") as bundle:
        names = bundle.getnames()
    assert sorted(names) == [
        "run_card.yaml",
        f"seed-0/{TAXI}/submission.csv",
        f"seed-1/{TAXI}/submission.csv",
    ]


def test_the_run_card_can_be_read_and_names_the_seeds() -> None:
    card = parse_run_card(run_card(3).encode(), "run_card.yaml")
    assert card["seeds"]["labels"] == ["seed-0", "seed-1", "seed-2"]


def test_a_bundle_holds_the_whole_benchmark() -> None:
    assert (len(member_ids()), len(member_ids(dev=True))) == (75, 82)


@pytest.mark.parametrize(
    ("scale", "rows"), [(1.0, 1000), (0.1, 100), (0.0001, 24)], ids=["whole", "a tenth", "the least"]
)
def test_sizes_scale(scale: float, rows: int) -> None:
    assert Size(rows=1000, source="known", id="{n}").scaled(scale).rows == rows


@pytest.mark.parametrize("digits", [4, 8, 17])
def test_numbers_are_distinct_and_of_their_length(digits: int) -> None:
    rng = np.random.default_rng(0)
    numbers, words = make_numbers(digits, 3000, rng).tolist(), make_hex(digits, 3000, rng)
    assert {len(str(n)) for n in numbers} == {len(word) for word in words} == {digits}
    assert len(set(numbers)) == len(set(words)) == 3000


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [
        ("{n}", ["7", "8", "9"]),
        ("Test_{n:03}.jpg", ["Test_007.jpg", "Test_008.jpg", "Test_009.jpg"]),
        ("{block:2}_{within:2}", ["3_1", "4_0", "4_1"]),
        ("a%", ["a%", "a%", "a%"]),
    ],
)
def test_ids_follow_their_pattern(pattern: str, ids: list[str]) -> None:
    assert make_ids(pattern, 3, 7, np.random.default_rng(0)) == ids
