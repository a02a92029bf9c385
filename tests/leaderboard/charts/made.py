"""Rows of a board made up for charts, and a figure held against Plotly's own schema."""

from itertools import count
from typing import Any

import plotly.graph_objects as go

from leaderboard.charts.chart import Chart

TOKEN_COLOR = "#123456"
_numbers = count(1)


def row(agent: str = "Ada", mean: float | None = 50.0, **more: Any) -> dict[str, Any]:
    """A row as the board shows it; `sem`, `interval` (low, high) and `curve` go where they belong."""
    sem, interval, curve = more.pop("sem", 1.0), more.pop("interval", None), more.pop("curve", [])
    statistics = {
        "interval_low": interval[0] if interval else None,
        "interval_high": interval[1] if interval else None,
        "pass_at_k": curve,
    }
    return {
        "entry": next(_numbers), "agent": agent, "agent_slug": agent.lower(), "organisation": "Org",
        "url": f"/entries/{agent.lower()}/", "llms": ["gpt-5"], "no_llm": False, "run_on": "2026-03-01",
        "track": "clean", "source": "graded", "source_text": "graded here", "warning": None,
        "hours": 24.0, "gpus": 1.0, "gpu_model": "A10", "cost_usd": None, "cost_per_medal": None,
        "statistics": statistics,
        "result": None if mean is None else {"any_medal_mean": mean, "any_medal_sem": sem},
        **more,
    }  # fmt: skip


def drawn(chart: Chart) -> dict[str, Any]:
    """The chart's figure, which Plotly's schema must know to the last key. Raises ValueError otherwise."""
    assert chart.figure is not None, chart.empty
    go.Figure(_with_colors(chart.figure))
    return chart.figure


def _with_colors(value: Any) -> Any:
    """With a colour for each name of a custom property, as the page's script puts one in."""
    if isinstance(value, dict):
        return {key: _with_colors(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_colors(each) for each in value]
    return TOKEN_COLOR if isinstance(value, str) and value.startswith("--") else value


def xy(trace: dict[str, Any]) -> list[tuple[Any, Any]]:
    return list(zip(trace["x"], trace["y"], strict=True))


def cells(chart: Chart) -> list[tuple[str, ...]]:
    """The body of the table behind the chart."""
    return [row.cells for row in chart.table.rows]
