"""Scores over time: the rate of medals by hours as a table of cases, then the charts of an entry and of a board."""

from typing import Any

import pytest
from django.test import Client

from grading.lanes import join_lane
from grading.models import Benchmark, Grading
from leaderboard.charts.time_scaling import Course, Tried, medals_by_hours, rates_by_hours, score_by_hours
from leaderboard.models import Entry, EntryRun
from leaderboard.time_scaling import course_of, courses_on
from tests.factories import make_grading, make_run
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark

CUTOFFS = (0.5, 0.6, 0.7, 0.8)


def tried(
    hours: float | None, is_medal: bool, seed: str = "s0", competition: str = "c", **more: Any
) -> Tried:
    mark = "gold" if is_medal else "none"
    return Tried(seed, competition, hours, 0.9 if is_medal else 0.1, mark, is_medal, CUTOFFS, **more)


CASES: dict[str, tuple[list[Tried], list[tuple[float, float]]]] = {
    "nobody": ([], []),
    "one that gets there": ([tried(1, False), tried(4, True)], [(1, 0.0), (4, 100.0)]),
    "one that loses it again": ([tried(1, True), tried(4, False)], [(1, 100.0), (4, 0.0)]),
    "not begun yet is no medal": (
        [tried(1, True, "s0"), tried(2, True, "s1")],
        [(1, 50.0), (2, 100.0)],
    ),
    "seeds and competitions are runs of their own": (
        [tried(1, True), tried(1, False, "s1"), tried(1, False, "s0", "d"), tried(1, False, "s1", "d")],
        [(1, 25.0)],
    ),
    "the end without hours has no place": ([tried(1, False), tried(None, True, is_end=True)], [(1, 0.0)]),
    "the end at its hours is the last": (
        [tried(1, False), tried(24, True, is_end=True)],
        [(1, 0.0), (24, 100.0)],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_rates(name: str) -> None:
    given, expected = CASES[name]
    assert rates_by_hours(given) == expected
    assert rates_by_hours(given[::-1]) == expected


def test_without_checkpoints_both_say_so() -> None:
    nothing = Course("Ada", "/entries/ada/", ())
    for chart in (medals_by_hours([nothing]), score_by_hours(nothing)):
        assert chart.figure is None
        assert chart.empty
        assert chart.table.rows == ()


def test_scores_are_listed_and_drawn_on_the_scale_of_their_competition() -> None:
    chart = score_by_hours(Course("Ada", "/a/", (tried(24, True, is_end=True), tried(2, False)), waiting=3))
    assert [row.cells[2:] for row in chart.table.rows] == [
        ("2", "0.10000", "none"),
        ("24 (end)", "0.90000", "gold"),
    ]
    assert chart.figure is not None
    heights = chart.figure["data"][1]["y"]
    assert heights == [-1.0, pytest.approx(4.0)]
    assert chart.gaps == ("3 more checkpoints wait to be graded.",)


@pytest.fixture
def benchmark(db: None) -> Benchmark:
    return make_wide_benchmark()


def with_checkpoints(benchmark: Benchmark) -> Entry:
    """A medal in the end on c00, where it had none at 1 and one at 6.5 hours; one more waits to be graded."""
    entry = make_wide(benchmark, "300000000000")
    assert entry.submission is not None
    for hours, score in ((1.0, 0.1), (6.5, 0.95)):
        make_grading(make_run(entry.submission, "s0", "c00", checkpoint_hours=hours), score)
    waiting = make_run(entry.submission, "s0", "c00", checkpoint_hours=9.0)
    grading = make_grading(waiting, 0.9)
    lane = join_lane("", Grading.Priority.CHECKPOINT)
    Grading.objects.filter(pk=grading.pk).update(
        state="queued", graded_at=None, outcome="", score=None, lane=lane
    )
    make_run(entry.submission, "s0", "c01", checkpoint_hours=1.0)
    return entry


def test_a_checkpoint_earns_by_the_cutoffs_of_its_run(benchmark: Benchmark) -> None:
    entry = with_checkpoints(benchmark)
    course = course_of(entry)
    found = [(each.hours, each.score, each.is_medal, each.is_end) for each in course.tried]
    assert found == [(1.0, 0.1, False, False), (6.5, 0.95, True, False), (entry.hours, 0.95, True, True)]
    assert course.waiting == 1


def test_what_is_masked_or_of_another_split_does_not_count(benchmark: Benchmark) -> None:
    entry = with_checkpoints(benchmark)
    row = {"entry": entry.pk, "agent": "Ada", "url": "/entries/ada/"}
    assert len(courses_on([row], ["c00"])) == 1
    assert courses_on([row], ["c05"]) == []
    EntryRun.objects.filter(entry=entry, competition="c00").update(masked_by=entry.decisions.first())
    assert courses_on([row], ["c00"]) == []


def test_pages_of_entry_and_board_draw_them(client: Client, benchmark: Benchmark) -> None:
    entry = with_checkpoints(benchmark)
    page = client.get(f"/entries/{entry.slug}/").content.decode()
    assert 'id="chart-time-scaling"' in page
    assert 'id="chart-score-by-hours"' in page
    assert 'id="chart-time-scaling"' in client.get("/charts/wide/").content.decode()


def test_programs_read_them_too(client: Client, benchmark: Benchmark) -> None:
    found = client.get(f"/api/v1/entries/{with_checkpoints(benchmark).slug}").json()["checkpoints"]
    about = {"seed": "s0", "competition": "c00"}
    assert found == [
        {**about, "hours": 1.0, "score": 0.1, "mark": "none"},
        {**about, "hours": 6.5, "score": 0.95, "mark": "gold"},
    ]


def test_an_entry_without_checkpoints_has_no_empty_chart(client: Client, benchmark: Benchmark) -> None:
    entry = make_wide(benchmark, "300000000000")
    assert "time-scaling" not in client.get(f"/entries/{entry.slug}/").content.decode()
