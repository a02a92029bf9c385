"""What buys score: groups that differ in one thing, and published figures beside them."""

from collections.abc import Callable
from typing import Any

import pytest

from leaderboard.chart_data import published_results
from leaderboard.charts.contrasts import (
    contrast,
    same_agent_and_llms,
    same_but_hardware,
    same_llms,
    say_agent,
    say_agent_and_llms,
    say_hardware,
    say_hours,
    say_llms,
)
from leaderboard.charts.effects import HERE, PUBLISHED, bars_here
from leaderboard.charts.insights import Effect, study_effects
from tests.leaderboard.charts.made import cells, drawn, row, xy

Rows = list[dict[str, Any]]
WARNING = {"reason": "Seen.", "evidence_url": "", "decision": 1}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], []),
        ([row("Ada", 50)], []),
        ([row("Ada", 50), row("Ada", 40)], []),
        ([row("Ada", 50), row("Bea", 40)], [["Ada", "Bea"]]),
        ([row("Ada", 50, llms=["GPT-5"]), row("Bea", 40, llms=["gpt-5"])], [["Ada", "Bea"]]),
        ([row("Ada", 50, llms=["x"]), row("Bea", 40, llms=["y"])], []),
        ([row("Ada", 50, llms=[]), row("Bea", 40, llms=[])], []),
        ([row("Ada", None), row("Bea", 40)], []),
        # The widest gap first.
        (
            [row("Ada", 50), row("Bea", 49), row("Cy", 90, llms=["y"]), row("Di", 10, llms=["y"])],
            [["Cy", "Di"], ["Ada", "Bea"]],
        ),
    ],
)
def test_scaffolds_with_the_same_llms(rows: Rows, expected: list[list[str]]) -> None:
    assert [list(group.entries) for group in contrast(rows, same_llms, say_llms, say_agent)] == expected


def test_of_several_alike_the_best_stands() -> None:
    rows = [row("Ada", 30), row("Ada", 50), row("Bea", 40)]
    (group,) = contrast(rows, same_llms, say_llms, say_agent)
    assert group.spread == 10


@pytest.mark.parametrize(
    ("fixed", "varied", "rows", "expected"),
    [
        (same_agent_and_llms, say_hours, [row(hours=12.0), row(hours=24.0)], ["12 h", "24 h"]),
        (same_agent_and_llms, say_hours, [row(hours=12.0), row(hours=None)], None),
        (same_but_hardware, say_hardware, [row(gpus=0.0), row(gpus=2.0)], ["CPU only", "2 x A10"]),
        (same_but_hardware, say_hardware, [row(gpus=0.0), row(gpus=None)], None),
        (same_but_hardware, say_hardware, [row(gpus=0.0), row(gpus=2.0, hours=12.0)], None),
    ],
)
def test_hours_and_hardware_of_the_same_agent(
    fixed: Callable[..., Any], varied: Callable[..., str], rows: Rows, expected: list[str] | None
) -> None:
    found = contrast(rows, fixed, say_agent_and_llms, varied)
    assert [sorted(group.entries) for group in found] == ([sorted(expected)] if expected else [])


def test_of_a_long_group_the_best_and_the_last_are_drawn() -> None:
    groups = contrast([row(f"A{at}", 99 - at) for at in range(20)], same_llms, say_llms, say_agent)
    assert [bar.percent for bar in bars_here(groups)] == [99, 98, 97, 96, 95, 94, 93, 80]


def effects_of(rows: Rows, prompts: dict[int, str] | None = None) -> dict[str, Effect]:
    return {effect.name: effect for effect in study_effects(published_results(), rows, prompts or {})}


def test_without_a_board_every_effect_has_its_source_its_figures_and_says_what_lacks() -> None:
    effects = effects_of([])
    assert list(effects) == ["scaffold", "llm", "pass_at_k", "hours", "hardware", "cost", "descriptions"]
    for effect in effects.values():
        assert effect.source["url"] == "https://arxiv.org/abs/2410.07095"
        assert effect.here.startswith("No data yet: no ")
        assert not effect.is_known
        assert {origin for _, origin, *_ in cells(effect.chart)} == {PUBLISHED}
        assert drawn(effect.chart)["data"]


def test_the_board_stands_beside_what_was_published() -> None:
    rows = [
        row("Ada", 60, curve=[60.0, 70.0], cost_usd=90.0, cost_per_medal=1.5),
        row("Ada", 50, hours=12.0),
        row("Ada", 55, gpus=0.0),
        row("Bea", 40),
        row("Ada", 45, llms=["y"]),
        row("Warned", 99, warning=WARNING),
    ]
    prompts = {rows[0]["entry"]: "original", rows[1]["entry"]: "obfuscated"}
    effects = effects_of(rows, prompts)
    assert all(effect.is_known for effect in effects.values())
    assert effects["scaffold"].here == (
        "The widest gap is that with gpt-5: 20.0 points between Ada (60.00 %) and Bea (40.00 %)."
    )
    assert "Warned" not in repr(effects)
    published, here = drawn(effects["scaffold"].chart)["data"]
    assert (published["x"], here["x"]) == ([8.7, 4.4, 0.8], [60, 40])
    curves = drawn(effects["pass_at_k"].chart)["data"]
    assert xy(curves[1]) == [(1.0, 16.9), (8.0, 34.1)]
    assert xy(curves[-1]) == [(1, 60.0), (2, 70.0)]
    hours = drawn(effects["hours"].chart)["data"]
    assert (xy(hours[1]), xy(hours[-1])) == ([(24.0, 8.7), (100.0, 11.8)], [(12.0, 50), (24.0, 60)])
    assert ("Ada · 1.50 USD a medal", HERE, "60.00") in cells(effects["cost"].chart)
    assert "1 of 5 entries state" in effects["cost"].here
    assert "CPU only" in effects["hardware"].here
    assert "obfuscated (50.00 %)" in effects["descriptions"].here
