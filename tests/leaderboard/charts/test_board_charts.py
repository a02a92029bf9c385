"""Charts of a board: what is drawn, what the table says, and what is not drawn."""

from itertools import pairwise
from typing import Any

import pytest

from leaderboard.charts.chart import MOST_ROWS, Chart, hover, shown_text, tell_apart
from leaderboard.charts.medals import MOST_ENTRIES, Medals, Winner, medal_grid
from leaderboard.charts.over_time import Track, best_over_time, records
from leaderboard.charts.scaffolds import scaffold_grid
from leaderboard.charts.trade_off import COST, GPU_HOURS, HOURS, frontier, gpu_hours, trade_off
from leaderboard.charts.whisker import points_of
from tests.leaderboard.charts.made import cells, drawn, row, xy

WARNING = {"reason": "Seen.", "evidence_url": "", "decision": 1}


def test_the_best_so_far_counts_each_day_once_and_only_what_is_better() -> None:
    rows = [
        row("Late", 60, run_on="2026-03-01"),
        row("First", 40, run_on="2026-01-01"),
        row("Same day, worse", 30, run_on="2026-01-01"),
        row("No better", 40, run_on="2026-02-01"),
        row("Not attempted", None),
    ]
    assert [point.row["agent"] for point in records(points_of(rows))] == ["First", "Late"]


def test_best_over_time_draws_a_line_and_marks_for_each_track() -> None:
    clean = Track("Clean", False, [row("B", 60, run_on="2026-03-01"), row("A", 40, run_on="2026-01-01")])
    warned = Track("Additional", True, [row("C", 80, warning=WARNING, source="imported")])
    chart = best_over_time([clean, warned], "2026-05-01")
    line, marks, warned_line, warned_marks = drawn(chart)["data"]
    assert xy(line) == [("2026-01-01", 40), ("2026-03-01", 60), ("2026-05-01", 60)]
    assert line["line"]["shape"] == "hv"
    assert xy(marks) == [("2026-03-01", 60), ("2026-01-01", 40)]
    assert (line["line"]["dash"], warned_line["line"]["dash"]) == ("solid", "dot")
    assert (marks["marker"]["symbol"], warned_marks["marker"]["symbol"]) == (["circle"] * 2, ["x-open"])
    assert ("A", "Clean", "2026-01-01", "40.00", "± 1.00 SEM", "yes") in cells(chart)


@pytest.mark.parametrize(
    ("more", "minus", "plus", "words"),
    [
        ({"sem": 2.0}, 2.0, 2.0, "± 2.00 SEM"),
        ({"sem": None}, 0, 0, ""),
        ({"sem": 2.0, "interval": (41.0, 56.5)}, 9.0, 6.5, "41.0–56.5"),
    ],
)
def test_a_whisker_is_the_interval_or_else_one_sem(
    more: dict[str, Any], minus: float, plus: float, words: str
) -> None:
    chart = best_over_time([Track("Clean", False, [row("A", 50.0, **more)])], "2026-05-01")
    error = drawn(chart)["data"][1]["error_y"]
    assert (error["arrayminus"], error["array"]) == ([minus], [plus])
    assert cells(chart)[0][4] == words


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ([], []),
        ([(50, 10)], [10]),
        ([(50, 10), (60, 20)], [10, 20]),
        ([(50, 10), (50, 20)], [10]),
        ([(50, 10), (40, 5), (45, 7), (60, 100), (59, 90)], [5, 7, 10, 90, 100]),
        ([(50, 10), (60, 10)], [10]),
    ],
)
def test_the_frontier(known: list[tuple[float, float]], expected: list[float]) -> None:
    pairs = [(points_of([row("A", mean)])[0], float(cost)) for mean, cost in known]
    best = frontier(pairs)
    assert [cost for _, cost in best] == expected
    assert all(left.mean < right.mean for (left, _), (right, _) in pairwise(best))


def test_a_missing_cost_is_a_gap_by_name_and_never_nought() -> None:
    rows = [row("Paid", 60, cost_usd=100.0), row("Free", 20, cost_usd=0.0), row("Silent", 70)]
    chart = trade_off(COST, rows)
    frontier_line, marks = drawn(chart)["data"]
    assert xy(marks) == [(100.0, 60), (0.0, 20)]
    assert xy(frontier_line) == [(0.0, 20), (100.0, 60)]
    assert chart.gaps == ("Not drawn, since they do not state their cost: Silent (gpt-5).",)
    assert ("Silent", "gpt-5", "undisclosed", "70.00", "no") in cells(chart)
    assert ("Free", "gpt-5", "0", "20.00", "yes") in cells(chart)


def test_an_entry_under_a_warning_is_drawn_apart_and_not_on_the_frontier() -> None:
    rows = [row("Fair", 60, cost_usd=100.0), row("Warned", 90, cost_usd=50.0, warning=WARNING)]
    line, ranked, warned = drawn(trade_off(COST, rows))["data"]
    assert xy(line) == xy(ranked) == [(100.0, 60)]
    assert xy(warned) == [(50.0, 90)]
    assert (ranked["name"], warned["name"]) == ("ranked", "under a warning")


@pytest.mark.parametrize(
    ("gpus", "hours", "expected"),
    [(2.0, 24.0, 48.0), (0.0, 24.0, 0.0), (0.0, None, 0.0), (None, 24.0, None), (1.0, None, None)],
)
def test_gpu_hours(gpus: float | None, hours: float | None, expected: float | None) -> None:
    assert gpu_hours(row(gpus=gpus, hours=hours)) == expected


def test_hours_join_what_differs_in_hours_alone() -> None:
    rows = [
        row("Ada", 40, hours=12.0),
        row("Ada", 60, hours=24.0),
        row("Ada", 70, hours=24.0, llms=["other"]),
        row("Bea", 50, hours=12.0),
    ]
    joined, marks = drawn(trade_off(HOURS, rows))["data"]
    assert xy(joined) == [(12.0, 40), (24.0, 60)]
    assert len(marks["x"]) == 4


WINNERS = [
    Winner("Ada", "/a/", {"c1": Medals(3, {"gold": 1, "bronze": 1}), "c2": Medals(3, {})}),
    Winner("Bea", "/b/", {"c1": Medals(1, {"silver": 1})}),
]


def test_the_medal_grid_has_a_cell_for_what_was_attempted() -> None:
    chart = medal_grid(WINNERS, ["c1", "c2"])
    first, second = drawn(chart)["data"]
    assert (first["text"], second["text"]) == (["G 2/3", "0/3"], ["S 1/1", ""])
    assert first["marker"]["color"] == ["--gold", "--sunken"]
    assert second["marker"]["opacity"][1] == 0
    assert cells(chart) == [
        ("c1", "1 gold, 1 bronze of 3", "1 silver of 1"),
        ("c2", "none of 3", "not attempted"),
    ]


def test_the_medal_grid_says_how_many_it_leaves_out() -> None:
    many = [Winner(f"A{at}", "", {"c1": Medals(1, {})}) for at in range(MOST_ENTRIES + 2)]
    assert medal_grid(many, ["c1"], left_out=3).gaps == (
        f"The best {MOST_ENTRIES} are drawn; 5 more were graded here.",
    )
    assert medal_grid(WINNERS, ["c1"]).gaps == ()


def test_scaffolds_against_llms_keeps_the_best_and_leaves_out_who_is_met_once() -> None:
    rows = [
        row("Ada", 60, llms=["x"]),
        row("Ada", 40, llms=["x"]),
        row("Ada", 50, llms=["y"]),
        row("Bea", 55, llms=["x"]),
        row("Lone", 99, llms=["z"]),
        row("Silent", 98, llms=[]),
    ]
    chart = scaffold_grid(rows)
    figure = drawn(chart)
    assert figure["layout"]["xaxis"]["ticktext"] == ["x", "y"]
    assert figure["layout"]["yaxis"]["ticktext"] == ["Ada", "Bea"]
    assert [trace["text"] for trace in figure["data"]] == [["60", "55"], ["50", ""]]
    assert chart.gaps == ("1 more, most of whose agents and llms stand here only once, are not drawn.",)
    assert ("Lone", "z", "99.00") in cells(chart)


@pytest.mark.parametrize(
    ("chart", "words"),
    [
        (best_over_time([], "2026-05-01"), "No entry has a figure"),
        (best_over_time([Track("Clean", False, [row(mean=None)])], "2026-05-01"), "No entry has a figure"),
        (trade_off(COST, []), "No entry has a figure"),
        (trade_off(COST, [row()]), "No entry here states its cost"),
        (trade_off(GPU_HOURS, [row(gpus=None)]), "No entry here states its GPU-hours"),
        (medal_grid([], ["c1"]), "No entry on this board was graded here"),
        (scaffold_grid([row()]), "No agent here stands with two llms"),
    ],
)
def test_nothing_to_draw_is_a_sentence(chart: Chart, words: str) -> None:
    assert chart.figure is None
    assert chart.empty.startswith(words)
    assert chart.gaps == ()


def test_a_long_board_is_cut_and_says_so() -> None:
    rows = [row(f"A{at}", at / 10, cost_usd=1.0) for at in range(MOST_ROWS + 1)]
    said = f"The first {MOST_ROWS} of {MOST_ROWS + 1} entries are drawn."
    for chart in (trade_off(COST, rows), best_over_time([Track("Clean", False, rows)], "2026-05-01")):
        assert chart.gaps[-1].endswith(said)
        assert len(cells(chart)) == MOST_ROWS
    # The best of all is in the line, wherever it stands.
    assert drawn(chart)["data"][0]["y"][-1] == MOST_ROWS / 10


def test_agents_of_one_name_are_told_apart_by_number() -> None:
    assert tell_apart([("Ada", 1), ("Bea", 2), ("Ada", 3)]) == ["Ada 1", "Bea", "Ada 3"]


def test_text_of_others_is_only_text() -> None:
    evil = '<a href="https://evil.example/">%{x} & co</a>'
    assert shown_text(evil) == '&lt;a href="https://evil.example/"&gt;%{x} &amp; co&lt;/a&gt;'
    assert hover("<b>", "", "x") == "&lt;b&gt;<br>x"
    assert shown_text("abcdef", 4) == "abc…"
    figure = drawn(best_over_time([Track("Clean", False, [row(evil)])], "2026-05-01"))
    assert "<a" not in repr(figure)
    assert "hovertemplate" not in repr(figure)
