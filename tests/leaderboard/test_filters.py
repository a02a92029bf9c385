"""What a reader asks of a board: words to conditions, order, numbering, and what to relax. No database."""

import random
from typing import Any

import pytest

from leaderboard.answering import apply_view, find_order, to_relax
from leaderboard.columns import COLUMNS, USUAL, fields_of, natural, sort_rows
from leaderboard.filters import READERS, BadView, parse_view

MASKED = {"known-leaks": {"mean": 30.0, "sem": None, "rank": 2}}


def row(position: int, mean: float | None = 50.0, **columns: Any) -> dict[str, Any]:
    result = None
    if mean is not None:
        result = dict.fromkeys(
            ("gold_count", "silver_count", "bronze_count", "above_median_mean", "any_medal_sem")
        )
        result |= {"any_medal_mean": mean, "seeds": 3}
    usual = {
        "position": position,
        "rank": position,
        "slug": f"entry-{position}",
        "agent": f"Agent {position}",
        "version": None,
        "organisation": "Ada's Lab",
        "organisation_slug": "adas-lab",
        "llms": ["GPT-5"],
        "no_llm": False,
        "run_on": "2026-03-01",
        "source": "graded",
        "source_available": True,
        "reports_available": None,
        "disclosed": {"answered": 6, "total": 8, "missing": ["version", "cost"]},
        "result": result,
        "results": {"low": {"any_medal_mean": mean}},
        "seed_scores": {},
        "hours": 24.0,
        "vcpus": 8.0,
        "ram_gb": 64.0,
        "gpus": 1.0,
        "gpu_model": "H100",
        "cost_usd": None,
        "masks": None,
        "categories": None,
        "statistics": {"rank_low": 1},
    }
    return {**usual, **columns}


def answering(query: dict[str, list[str]], **columns: Any) -> bool:
    return bool(apply_view(parse_view(query), [row(1, **columns)]))


@pytest.mark.parametrize(
    ("query", "columns", "answers"),
    [
        ({"q": ["lab h100"]}, {}, True),
        ({"q": ["ADA'S"]}, {}, True),
        ({"q": ["lab a100"]}, {}, False),
        ({"llm": ["gpt-5"]}, {}, True),
        ({"llm": ["o3", "GPT-5"]}, {}, True),
        ({"llm": ["GPT"]}, {}, False),
        ({"llm": ["undisclosed"]}, {"llms": []}, True),
        ({"llm": ["undisclosed"]}, {"llms": [], "no_llm": True}, False),
        ({"llm": ["none"]}, {"llms": [], "no_llm": True}, True),
        ({"organisation": ["adas-lab"]}, {}, True),
        ({"organisation": ["Ada's lab"]}, {}, True),
        ({"organisation": ["lab"]}, {}, False),
        ({"gpu": ["h1"]}, {}, True),
        ({"gpu": ["h1"]}, {"gpu_model": None}, False),
        ({"gpus_max": ["1"]}, {}, True),
        ({"gpus_max": ["0"]}, {"gpus": 0.0}, True),
        ({"gpus_max": ["4"]}, {"gpus": None}, False),
        ({"vcpus_min": ["8"], "vcpus_max": ["8"]}, {}, True),
        ({"vcpus_min": ["8.5"]}, {}, False),
        ({"ram_gb_max": ["63"]}, {}, False),
        ({"hours_max": ["24"]}, {}, True),
        ({"cost_usd_min": ["0"]}, {}, False),
        ({"open_code": ["1"]}, {"source_available": None}, False),
        ({"open_code": ["0"]}, {"source_available": None}, False),
        ({"open_code": ["0"]}, {"source_available": False}, True),
        ({"graded_here": ["1"]}, {}, True),
        ({"graded_here": ["0"]}, {}, False),
        ({"date_from": ["2026-03-01"], "date_to": ["2026-03-01"]}, {}, True),
        ({"date_from": ["2026-03-02"]}, {}, False),
        ({"q": [""], "llm": [" "], "gpus_max": [""]}, {"gpus": None}, True),
        ({"utm_source": ["x"]}, {}, True),
    ],
)
def test_conditions(query: dict[str, list[str]], columns: dict[str, Any], answers: bool) -> None:
    assert answering(query, **columns) is answers


@pytest.mark.parametrize(
    ("query", "where", "says"),
    [
        ({"gpus_min": ["many"]}, "gpus_min", "'many' is not a number"),
        ({"gpus_min": ["-1"]}, "gpus_min", "from 0 on"),
        ({"hours_max": ["nan"]}, "hours_max", "not a number"),
        ({"hours_max": ["inf"]}, "hours_max", "not a number"),
        ({"hours_max": ["1_000"]}, "hours_max", "not a number"),
        ({"hours_max": ["١"]}, "hours_max", "not a number"),
        ({"date_to": ["yesterday"]}, "date_to", "not a day"),
        ({"open_code": ["yes"]}, "open_code", "neither 1"),
        ({"mask": ["all"]}, "mask", "none, known-leaks, known-issues"),
        ({"sort": ["medal"]}, "sort", "any_medal"),
        ({"sort": ["--rank"]}, "sort", "none of"),
        ({"columns": ["rank,nope"]}, "columns", "'nope'"),
        ({"category": ["Tabular"], "mask": ["known-leaks"]}, "category", "cannot be combined"),
        ({"q": ["x" * 201]}, "q", "at most"),
        ({"llm": ["x"] * 21}, "llm", "at most 20 values"),
    ],
)
def test_words_without_sense(query: dict[str, list[str]], where: str, says: str) -> None:
    with pytest.raises(BadView) as raised:
        parse_view(query)
    assert [problem.where for problem in raised.value.problems] == [where]
    assert says in str(raised.value)


def test_everything_wrong_is_said_at_once() -> None:
    with pytest.raises(BadView) as raised:
        parse_view({"gpus_min": ["x"], "date_to": ["y"], "sort": ["z"]})
    assert {problem.where for problem in raised.value.problems} == {"gpus_min", "date_to", "sort"}


@pytest.mark.parametrize("falling", [True, False])
# How much is disclosed is always known.
@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in ("rank", "disclosed")])
def test_what_is_not_known_stands_last_in_both_directions(name: str, falling: bool) -> None:
    unknown = row(
        1,
        None,
        llms=[],
        hours=None,
        gpus=None,
        ram_gb=None,
        run_on=None,
        agent="",
        results={"low": None},
        source_available=None,
    )
    known = row(
        2,
        results={key: {"any_medal_mean": 0.0} for key in ("low", "medium", "high")},
        seed_scores={"s1": 0.0},
        cost_usd=0.0,
        hours=0.0,
        gpus=0.0,
    )
    known["result"] |= {"gold_count": 0, "silver_count": 0, "bronze_count": 0, "above_median_mean": 0.0}
    assert [each["position"] for each in sort_rows([unknown, known], name, falling)] == [2, 1]


def test_rank_ten_follows_nine_and_agent_ten_follows_agent_nine() -> None:
    rows = [row(number, 100.0 - number) for number in range(1, 12)]
    random.Random(1).shuffle(rows)
    for sort in ("rank", "agent", "-any_medal"):
        view = parse_view({"sort": [sort]})
        assert [each["position"] for each in apply_view(view, sort_rows(rows, "rank", False))] == list(
            range(1, 12)
        )
    assert natural("Agent 9") < natural("agent 10")


def test_rank_and_position_are_those_of_the_whole_board() -> None:
    rows = [row(1), row(2, gpus=4.0), row(3, gpus=4.0)]
    shown = apply_view(parse_view({"gpus_min": ["2"]}), rows)
    assert [(each["rank"], each["position"], each["view_position"]) for each in shown] == [
        (2, 2, 1),
        (3, 3, 2),
    ]
    assert all(each["statistics"] is None for each in shown), "they hold for the whole board"
    assert apply_view(parse_view({}), rows)[0]["statistics"] == {"rank_low": 1}
    assert "view_position" not in rows[0], "rows are shared by all who ask"


def test_a_mask_brings_its_own_figures_order_and_rank() -> None:
    imported = row(1, 90.0, source="imported")
    graded = row(2, 60.0, masks=MASKED)
    first, second = apply_view(parse_view({"mask": ["known-leaks"]}), [imported, graded])
    assert (first["slug"], first["rank"], first["result"]["any_medal_mean"]) == ("entry-2", 2, 30.0)
    assert first["result"]["any_medal_sem"] is None
    assert (second["rank"], second["result"]) == (None, None), "nobody knows its single runs"


def test_a_category_brings_its_figures_and_leaves_the_rank() -> None:
    figures = {"Tabular": {"mean": 100.0, "sem": 0.0}}
    rows = [row(1, 60.0), row(2, 50.0, categories=figures)]
    shown = apply_view(parse_view({"category": ["Tabular"]}), rows)
    assert [(each["position"], each["rank"]) for each in shown] == [(2, 2), (1, None)]
    assert shown[0]["result"]["any_medal_mean"] == 100.0


def test_the_words_of_a_view_make_the_same_view_again() -> None:
    query = {
        "q": ["lab"], "llm": ["A", "B"],
        "gpus_max": ["4"], "sort": ["-date"], "columns": ["date,rank"], "mask": ["none"],
        "hours_min": [""], "date_to": ["2026-03-01"],
    }  # fmt: skip
    view = parse_view(query)
    words: dict[str, list[str]] = {}
    for name, value in view.query:
        words.setdefault(name, []).append(value)
    assert parse_view(words).query == view.query
    assert set(words) == {"q", "llm", "gpus_max", "sort", "columns", "date_to"}
    assert words["columns"] == ["rank,agent,date"]
    assert parse_view({"columns": list(USUAL)}).query == ()


def test_says_what_to_relax() -> None:
    rows = [row(1), row(2), row(3, gpus=4.0)]
    view = parse_view({"gpus_min": ["2"], "q": ["entry-1"]})
    assert not apply_view(view, rows)
    found = [(condition.name, count) for condition, count in to_relax(view, rows)]
    assert sorted(found) == [("gpus_min", 1), ("q", 1)]


def test_columns_stand_for_fields() -> None:
    assert fields_of(("rank", "agent", "hardware"))[:3] == ["entry", "slug", "url"]
    assert {"gpus", "gpu_model", "vcpus"} <= set(fields_of(("hardware",)))
    assert set(READERS) & {"sort", "columns", "mask"} == set()


@pytest.mark.parametrize("falling", [True, False])
@pytest.mark.parametrize("sort", list(COLUMNS))
def test_sorting_before_filtering_gives_the_same_rows(sort: str, falling: bool) -> None:
    rows = [
        row(at, 50.0 + at % 3, vcpus=[None, 4.0, 8.0][at % 3], hours=float(at % 4), agent=f"Agent {at % 5}")
        for at in range(1, 20)
    ]
    view = parse_view({"sort": [f"{'-' * falling}{sort}"], "hours_max": ["2"]})
    everything = parse_view({"sort": [f"{'-' * falling}{sort}"]})
    before = [row for row in apply_view(everything, rows) if row["hours"] <= 2]
    after = apply_view(view, rows, order=find_order(everything, rows))
    assert [row["position"] for row in after] == [row["position"] for row in before]
    assert list(after) == list(apply_view(view, rows))
    assert 0 < len(after) < len(rows)
