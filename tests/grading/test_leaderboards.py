"""Human leaderboards: what is taken, what is refused and with which line, and what loading writes."""

import hashlib
import json
import lzma
from datetime import date
from pathlib import Path

import pytest

from grading.catalogue import shipped_benchmarks, shipped_competitions
from grading.leaderboard_csv import read_leaderboard
from grading.leaderboards import LoadedBoard, LoadedLeaderboard, find_leaderboards, load_leaderboards
from grading.load_catalogue import load_catalogue
from grading.medals import Direction, LeaderboardError
from grading.models import Competition, ThresholdsVersion
from tests.factories import make_competition
from tests.grading.test_medals import DECISIONS, number

TODAY = date(2026, 5, 1)
HIGHER, LOWER = Direction.HIGHER, Direction.LOWER


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("score\n0.9\n0.8\n", (0.9, 0.8)),
        ("rank,teamName,teamId,score\n1,A,11,0.9\n2,B,12,0.8\n", (0.9, 0.8)),
        ("#,Team Name,Private Score\r\n1,A,0.9\r\n2,B,0.8\r\n", (0.9, 0.8)),
        ("teamId,private_score,Score\n1,7,0.9\n2,8,0.8\n", (0.9, 0.8)),
        ("\ufeffscoreNullable,teamNameNullable\n1e-1,x\n.05,y\n", (0.1, 0.05)),
        ('score,teamName\n0.9,"Two\nlines, one team"\n\n0.8,B\n', (0.9, 0.8)),
        ("score\n-1\n-2\n", (-1.0, -2.0)),
        ("score\n0.9\n0.9\n0.9\n", (0.9, 0.9, 0.9)),
        ("rank,score\n1,0.9\n1,0.9\n3,0.8\n", (0.9, 0.9, 0.8)),
        ("rank,score\n,0.9\nfirst,0.8\n", (0.9, 0.8)),
    ],
)
def test_generous_in_columns(text: str, scores: tuple[float, ...]) -> None:
    assert read_leaderboard(text.encode(), HIGHER) == scores


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "No column holds the score. It has none"),
        (b"rank,team\n1,A\n", "No column holds the score. It has rank, team"),
        (b"rank,teamName\n1,A\n", "It has rank, teamName; name"),
        (b"score,Score\n1,1\n", "score is there more than once"),
        (b"score\n", "no row"),
        (b"score\n0.9\nNaN\n", "Line 3 has no finite score"),
        (b"score\n0.9\ninf\n", "Line 3 has no finite score"),
        (b"score\n0.9\n1e999\n", "Line 3 has no finite score"),
        (b"score,team\n0.9,A\n,B\n", "Line 3 has no finite score"),
        (b"score\n0.9\n1_0\n", "Line 3 has no finite score"),
        (b"team,score\nA\n", "Line 2 has no finite score"),
        (b"score\n0.8\n0.9\n", "Line 3 is better than the line above it, but higher is better"),
        (b"score\n0.9\n0.7\n0.8\n0.6\n", "Line 4 is better"),
        (b"rank,score\n2,0.9\n1,0.8\n", "Line 3 has rank 1 below rank 2"),
        (b"teamId,score\n7,0.9\n7,0.8\n", "Lines 2 and 3 are the same team"),
        (b'score\n"0.9\n', "is not CSV"),
        (b"score\n\xff\n", "not UTF-8 text"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "git lfs pull"),
    ],
)
def test_strict_in_content(content: bytes, said: str) -> None:
    with pytest.raises(LeaderboardError, match=said.replace("(", r"\(")):
        read_leaderboard(content, HIGHER)


def test_the_order_is_that_of_the_competition() -> None:
    rising = b"score\n0.1\n0.2\n"
    assert read_leaderboard(rising, LOWER) == (0.1, 0.2)
    with pytest.raises(LeaderboardError, match="higher is better"):
        read_leaderboard(rising, HIGHER)
    assert read_leaderboard(b"score\n0.9\n0.7\n0.8\n", HIGHER, keep_order=True) == (0.9, 0.7, 0.8)


# Loading.


@pytest.fixture
def competition(db: None) -> Competition:
    return make_competition("comp")


def load(path: Path, content: str, keep_order: bool = False) -> LoadedLeaderboard:
    path.write_text(content)
    (result,) = load_leaderboards({"comp": path}, TODAY, keep_order)
    return result


BOARD = "score\n" + "".join(f"{1 - place / 100}\n" for place in range(1, 11))


def test_a_board_is_a_new_exact_version(competition: Competition, tmp_path: Path) -> None:
    file = tmp_path / "lb.csv"
    result = load(file, BOARD)
    new = ThresholdsVersion.objects.get(competition=competition, number=2)
    assert (result.loaded, result.thresholds) == (LoadedBoard.LOADED, new)
    assert (new.gold, new.silver, new.bronze, new.median) == (0.99, 0.98, 0.96, pytest.approx(0.945))
    assert (new.exact, new.num_teams) == (True, 10)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert new.leaderboard_sha256 == digest
    assert new.source == f"human leaderboard, 10 teams, lb.csv (SHA-256 {digest}), loaded on 2026-05-01"


def test_the_same_content_again_changes_nothing(competition: Competition, tmp_path: Path) -> None:
    load(tmp_path / "lb.csv", BOARD)
    assert load(tmp_path / "other-name.csv", BOARD).loaded is LoadedBoard.UNCHANGED
    assert competition.thresholds.count() == 2
    assert load(tmp_path / "lb.csv", BOARD + "0.1\n").loaded is LoadedBoard.LOADED
    # Back to the first board is a change as well: the newest number counts.
    assert load(tmp_path / "lb.csv", BOARD).thresholds.number == 4


def test_what_is_odd_is_noted(competition: Competition, tmp_path: Path) -> None:
    competition.thresholds.update(gold=0.99, silver=0.98, bronze=0.96001, median=0.5, num_teams=20)
    notes = load(tmp_path / "lb.csv", BOARD).notes
    assert notes == (
        "it has 10 teams, the version before 20: is the file complete?",
        "median was 0.5 and is 0.945, which is more than rounding explains",
    )


def test_a_small_part_of_a_board_is_refused_unless_it_is_meant(
    competition: Competition, tmp_path: Path
) -> None:
    competition.thresholds.update(num_teams=21)
    result = load(tmp_path / "lb.csv", BOARD)
    assert (result.loaded, competition.thresholds.count()) == (LoadedBoard.REFUSED, 1)
    assert result.reason.startswith("It has 10 teams, the version before 21")
    (result,) = load_leaderboards({"comp": tmp_path / "lb.csv"}, TODAY, force=True)
    assert (result.loaded, competition.thresholds.count()) == (LoadedBoard.LOADED, 2)


def test_a_refused_board_writes_nothing(competition: Competition, tmp_path: Path) -> None:
    result = load(tmp_path / "lb.csv", "score\n0.1\n0.2\n")
    assert (result.loaded, result.thresholds) == (LoadedBoard.REFUSED, None)
    assert "Line 3" in result.reason
    assert competition.thresholds.count() == 1


def test_a_file_that_is_not_there(competition: Competition, tmp_path: Path) -> None:
    files = find_leaderboards(tmp_path)
    assert files == {"comp": tmp_path / "comp" / "leaderboard.csv"}
    assert [result.loaded for result in load_leaderboards(files, TODAY)] == [LoadedBoard.MISSING]


@pytest.mark.django_db
def test_the_catalogue_does_not_take_a_loaded_board_back(tmp_path: Path) -> None:
    catalogue = shipped_competitions(), shipped_benchmarks()
    load_catalogue(*catalogue)
    file = tmp_path / "spaceship-titanic" / "leaderboard.csv"
    file.parent.mkdir()
    file.write_text(BOARD)
    results = {each.competition_id: each for each in load_leaderboards(find_leaderboards(tmp_path), TODAY)}
    assert results["spaceship-titanic"].loaded is LoadedBoard.LOADED
    assert sum(each.loaded is LoadedBoard.MISSING for each in results.values()) == len(results) - 1
    assert load_catalogue(*catalogue).thresholds == []
    newest = ThresholdsVersion.objects.filter(competition="spaceship-titanic").latest("number")
    assert (newest.number, newest.gold) == (2, 0.99)


@pytest.mark.django_db
def test_boards_of_the_benchmark_give_its_cutoffs(tmp_path: Path) -> None:
    """Each of the benchmark's own decisions about a sorted board, by way of a file."""
    decisions = json.loads(lzma.decompress(DECISIONS.read_bytes()))
    boards = {json.dumps(d["scores"]): d for d in decisions if is_plain(d)}
    assert len(boards) == 28
    for each in boards.values():
        expected = each["expected"]
        competition = make_competition(cutoffs=None, lower_is_better=expected["is_lower_better"])
        file = tmp_path / f"{competition.pk}.csv"
        file.write_text("score\n" + "".join(f"{score!r}\n" for score in each["scores"]))
        (result,) = load_leaderboards({competition.pk: file}, TODAY)
        assert result.thresholds is not None, (each["tag"], result.reason)
        for name in ("gold", "silver", "bronze", "median"):
            assert getattr(result.thresholds, name) == number(expected[f"{name}_threshold"]), each["tag"]


def is_plain(decision: dict[str, object]) -> bool:
    """Whether the board is one a file may hold: not empty, finite, and sorted as its ends say."""
    scores, expected = decision["scores"], decision["expected"]
    assert isinstance(scores, list)
    assert isinstance(expected, dict)
    if "error_type" in expected or not scores or any(isinstance(score, str) for score in scores):
        return False
    return scores == sorted(scores, reverse=not expected["is_lower_better"])
