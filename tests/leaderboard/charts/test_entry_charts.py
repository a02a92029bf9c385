"""Charts of an entry and of a competition."""

import pytest

from leaderboard.charts.competition import EntryScores, scores_on
from leaderboard.charts.entry import by_category, pass_at_k, seeds_strip
from leaderboard.charts.human import Against, Scored, against_humans, human_scale
from tests.leaderboard.charts.made import cells, drawn, xy

UP, DOWN = (0.5, 0.7, 0.8, 0.9), (0.9, 0.8, 0.7, 0.5)


@pytest.mark.parametrize(
    ("score", "cutoffs", "lower_is_better", "expected"),
    [
        (0.5, UP, False, 0.0),
        (0.6, UP, False, 0.5),
        (0.7, UP, False, 1.0),
        (0.75, UP, False, 1.5),
        (0.9, UP, False, 3.0),
        (0.95, UP, False, 3.5),
        (5.0, UP, False, 4.0),
        (0.4, UP, False, -0.5),
        (-9.0, UP, False, -1.0),
        (0.9, DOWN, True, 0.0),
        (0.75, DOWN, True, 1.5),
        (0.5, DOWN, True, 3.0),
        (2.0, DOWN, True, -1.0),
        # Equal cut-offs: the better one counts, and the step that has a length is the measure.
        (0.7, (0.5, 0.7, 0.7, 0.9), False, 2.0),
        (0.4, (0.5, 0.5, 0.5, 0.6), False, -1.0),
        (0.95, (0.5, 0.6, 0.9, 0.9), False, 3 + 0.05 / 0.3),
        (1.0, (1.0, 1.0, 1.0, 1.0), False, 3.0),
        (1.1, (1.0, 1.0, 1.0, 1.0), False, 4.0),
        (0.9, (1.0, 1.0, 1.0, 1.0), False, -1.0),
    ],
)
def test_the_human_scale(
    score: float, cutoffs: tuple[float, ...], lower_is_better: bool, expected: float
) -> None:
    assert human_scale(score, cutoffs, lower_is_better) == pytest.approx(expected)


def test_scores_against_humans_have_a_mark_for_each_seed_in_the_shape_of_its_medal() -> None:
    results = [
        Against("c1", False, UP, (Scored("s1", 0.9, "gold"), Scored("s2", 0.6, "above_median"))),
        Against("c2", True, DOWN, (Scored("s1", 0.75, "bronze"),)),
    ]
    chart = against_humans(results)
    gold, bronze, rest = drawn(chart)["data"]
    assert (xy(gold), xy(bronze), xy(rest)) == ([(3.0, 0)], [(pytest.approx(1.5), 1)], [(0.5, 0)])
    assert gold["marker"]["symbol"] != bronze["marker"]["symbol"] != rest["marker"]["symbol"]
    assert cells(chart)[1] == (
        "c1",
        "s2",
        "0.60000",
        "above median",
        "0.50000",
        "0.70000",
        "0.80000",
        "0.90000",
    )
    assert against_humans([Against("c1", False, UP, ())]).figure is None


def test_the_strip_has_every_seed_and_keeps_the_band_inside() -> None:
    chart = seeds_strip({"s2": 100.0, "s1": 90.0}, 95.0, 9.0, "Low")
    figure = drawn(chart)
    assert xy(figure["data"][0]) == [(90.0, 0), (100.0, 1)]
    band, middle = figure["layout"]["shapes"]
    assert (band["x0"], band["x1"]) == (86.0, 100.0)
    assert (middle["x0"], middle["x1"]) == (95.0, 95.0)
    assert cells(chart) == [("s1", "90.00"), ("s2", "100.00")]
    assert "standard error" not in seeds_strip({"s1": 90.0}, 90.0, None, "Low").note


def test_pass_at_k_goes_over_whole_seeds() -> None:
    chart = pass_at_k([40.0, 55.0, 60.0])
    line, marks = drawn(chart)["data"]
    assert xy(line) == xy(marks) == [(1, 40.0), (2, 55.0), (3, 60.0)]
    assert cells(chart)[-1] == ("3", "60.00")
    assert pass_at_k([40.0]).figure is None
    assert drawn(pass_at_k([1.0] * 36))["layout"]["xaxis"]["dtick"] == 3


def test_categories_come_largest_first_and_one_alone_is_not_drawn() -> None:
    parts = {
        "Text": {"mean": 60.0, "sem": None, "competitions": 2},
        "Image": {"mean": 40.0, "sem": 2.0, "competitions": 5},
    }
    chart = by_category(parts)
    figure = drawn(chart)
    assert figure["layout"]["yaxis"]["ticktext"] == ["Image (5)", "Text (2)"]
    assert figure["data"][0]["error_x"]["array"] == [2.0, 0]
    assert cells(chart)[1] == ("Text", "2", "60.00", "n = 1")
    assert by_category({"Text": parts["Text"]}).figure is None


ENTRIES = [
    EntryScores("Ada", "/a/", (Scored("s1", 0.95, "gold"), Scored("s2", 0.55, "above_median"))),
    EntryScores("Bea", "/b/", ()),
]
CUTOFFS = {"median": 0.5, "bronze": 0.7, "silver": 0.8, "gold": 0.9}


@pytest.mark.parametrize(("lower_is_better", "rises"), [(False, True), (True, False)])
def test_scores_on_a_competition_stand_between_its_cutoffs_better_to_the_right(
    lower_is_better: bool, rises: bool
) -> None:
    chart = scores_on(ENTRIES, CUTOFFS, lower_is_better)
    figure = drawn(chart)
    left, right = figure["layout"]["xaxis"]["range"]
    assert (left < right) == rises
    assert [shape["x0"] for shape in figure["layout"]["shapes"]] == [0.5, 0.7, 0.8, 0.9]
    # Words go towards the middle, so that none leaves the drawing.
    sides = {each["text"].split()[0]: each["xanchor"] for each in figure["layout"]["annotations"]}
    assert (sides["median"], sides["gold"]) == (("left", "right") if rises else ("right", "left"))
    assert [xy(trace) for trace in figure["data"]] == [[(0.95, 0)], [(0.55, 0)]]
    assert chart.gaps == ("Without a valid score: Bea.",)
    assert cells(chart)[0] == ("Ada", "s1", "0.95000", "gold")


def test_a_page_of_a_competition_says_of_how_many() -> None:
    chart = scores_on(ENTRIES, CUTOFFS, False, total=1234)
    assert chart.gaps == ("Drawn are the 2 entries of this page, of 1,234.", "Without a valid score: Bea.")
    assert (
        scores_on(ENTRIES[1:], CUTOFFS, False, total=21).empty == "No entry of this page has a score on it."
    )


def test_a_competition_without_cutoffs_or_scores() -> None:
    assert drawn(scores_on(ENTRIES, {}, False))["layout"]["shapes"] == []
    empty = scores_on(ENTRIES[1:], CUTOFFS, False)
    assert (empty.figure, empty.gaps) == (None, ())
    alike = [EntryScores("Ada", "/a/", (Scored("s1", 0.0, "none"),))]
    left, right = drawn(scores_on(alike, {}, False))["layout"]["xaxis"]["range"]
    assert left < 0 < right
