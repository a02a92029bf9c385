"""What buys score: each published effect beside the same comparison among the entries of a board. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.charts.chart import Chart, plain
from leaderboard.charts.contrasts import (
    Contrast,
    contrast,
    same_agent,
    same_agent_and_llms,
    same_but_hardware,
    same_llms,
    say_agent,
    say_agent_and_llms,
    say_hardware,
    say_hours,
    say_llms,
)
from leaderboard.charts.effects import (
    HERE,
    PUBLISHED,
    Bar,
    Curve,
    bars_here,
    curves_here,
    draw_bars,
    draw_curves,
    published_bars,
    say_spread,
)
from leaderboard.charts.whisker import Point, Row, points_of

Json = Mapping[str, Any]
MOST_CURVES = 8


@dataclass(frozen=True)
class Effect:
    """One thing that may buy score. `here` reads the board out; `is_known`: whether it has data at all."""

    name: str
    title: str
    published: str
    source: Mapping[str, str]
    here: str
    is_known: bool
    chart: Chart


def study_effects(published: Json, rows: Sequence[Row], prompts: Mapping[int, str]) -> list[Effect]:
    """`rows`: those of a board; warned ones are left out. `prompts`: entry to the descriptions its agent read."""
    counted = [row for row in rows if not row["warning"]]
    return [
        Effect(source=published["sources"][published[name]["source"]], name=name, **parts)
        for name, parts in _effects(published, counted, prompts)
    ]


def _effects(
    published: Json, rows: Sequence[Row], prompts: Mapping[int, str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "scaffold", _scaffold(published["scaffold"], contrast(rows, same_llms, say_llms, say_agent))
    yield "llm", _llm(published["llm"], contrast(rows, same_agent, say_agent, say_llms))
    yield "pass_at_k", _pass_at_k(published["pass_at_k"]["curves"], points_of(rows))
    yield (
        "hours",
        _hours(published["hours"], contrast(rows, same_agent_and_llms, say_agent_and_llms, say_hours)),
    )
    yield (
        "hardware",
        _hardware(published["hardware"], contrast(rows, same_but_hardware, say_agent_and_llms, say_hardware)),
    )
    yield "cost", _cost(published["cost"], points_of(rows))
    yield (
        "descriptions",
        _descriptions(
            published["descriptions"],
            contrast(
                rows,
                same_agent_and_llms,
                say_agent_and_llms,
                lambda row: prompts.get(row["entry"], ""),
            ),
        ),
    )


def _scaffold(said: Json, groups: Sequence[Contrast]) -> dict[str, Any]:
    bars = [*published_bars(said["any_medal"], said["llm"]), *bars_here(groups)]
    return {
        "title": "The scaffold",
        "published": f"With {said['llm']} and {said['hours']} hours {_range(said['any_medal'])}.",
        **_read(groups, "no llm stands here with two scaffolds"),
        "chart": draw_bars("effect-scaffold", "Scaffolds with the same llm", bars),
    }


def _llm(said: Json, groups: Sequence[Contrast]) -> dict[str, Any]:
    bars = [*published_bars(said["any_medal"], said["scaffold"]), *bars_here(groups)]
    return {
        "title": "The LLM",
        "published": f"With {said['scaffold']} and {said['hours']} hours {_range(said['any_medal'])}.",
        **_read(groups, "no scaffold stands here with two llms"),
        "chart": draw_bars("effect-llm", "LLMs with the same scaffold", bars),
    }


def _pass_at_k(curves: Sequence[Json], points: Sequence[Point]) -> dict[str, Any]:
    known = [(p, found) for p in points if len(found := _curve(p.row)) > 1][:MOST_CURVES]
    here = ""
    if known:
        best, percents = known[0]
        here = (
            f"One seed of {best.row['agent']} wins a medal on {percents[0]:.1f} % of the competitions, "
            f"at least one of {len(percents)} on {percents[-1]:.1f} %."
        )
    drawn = [
        *(
            Curve(f"{each['scaffold']}, {each['llm']}", _numbers(each["points"]), PUBLISHED)
            for each in curves
        ),
        *(
            Curve(p.row["agent"], dict(enumerate(percents, start=1)), HERE, p.row["url"])
            for p, percents in known
        ),
    ]
    return {
        "title": "More tries",
        "published": " ".join(_say_tries(each) for each in curves),
        **_known(here, "no entry graded here has two seeds on this split"),
        "chart": draw_curves("effect-pass-at-k", "pass@k by number of tries", drawn, "tries (k)", "pass@k %"),
    }


def _curve(row: Row) -> list[float]:
    return (row["statistics"] or {}).get("pass_at_k") or []


def _say_tries(curve: Json) -> str:
    points = sorted(_numbers(curve["points"]).items())
    (first, low), (last, high) = points[0], points[-1]
    return (
        f"{curve['scaffold']} with {curve['llm']}: {low} % with {plain(first)} try, "
        f"{high} % with the best of {plain(last)}."
    )


def _hours(said: Json, groups: Sequence[Contrast]) -> dict[str, Any]:
    known = Curve(f"{said['scaffold']}, {said['llm']}", _numbers(said["any_medal"]), PUBLISHED)
    words = " and ".join(f"{percent} % with {hours} hours" for hours, percent in said["any_medal"].items())
    return {
        "title": "More hours",
        "published": f"{said['scaffold']} with {said['llm']}: {words}.",
        **_read(groups, "no agent stands here with the same llms and other hours"),
        "chart": draw_curves(
            "effect-hours",
            "Score by hours allowed",
            [known, *curves_here(groups, "hours")],
            "hours",
            "Any Medal %",
        ),
    }


def _hardware(said: Json, groups: Sequence[Contrast]) -> dict[str, Any]:
    shared = f"{said['scaffold']}, {said['llm']}"
    bars = [*published_bars(said["any_medal"], shared), *bars_here(groups)]
    words = ", ".join(f"{percent} % with {name}" for name, percent in said["any_medal"].items())
    return {
        "title": "Hardware",
        "published": f"{said['scaffold']} with {said['llm']}: {words}.",
        **_read(groups, "no agent stands here with the same llms and hours and other GPUs"),
        "chart": draw_bars("effect-hardware", "Hardware of the same agent and llms", bars),
    }


def _cost(said: Json, points: Sequence[Point]) -> dict[str, Any]:
    known = [p for p in points if p.row["cost_per_medal"] is not None]
    here = ""
    if known:
        least = min(known, key=lambda p: float(p.row["cost_per_medal"]))
        here = (
            f"{len(known)} of {len(points)} entries state what they cost. A medal came cheapest to "
            f"{least.row['agent']}: {least.row['cost_per_medal']:.2f} USD each at {least.mean:.2f} %."
        )
    bars = [
        Bar(f"{said['scaffold']} · {said['llm']}", said["any_medal"], PUBLISHED),
        *(
            Bar(
                f"{p.row['agent']} · {p.row['cost_per_medal']:.2f} USD a medal",
                p.mean,
                HERE,
                url=p.row["url"],
            )
            for p in sorted(known, key=lambda p: float(p.row["cost_per_medal"]))[:MOST_CURVES]
        ),
    ]
    return {
        "title": "Cost",
        "published": (
            f"One seed of {said['scaffold']} with {said['llm']} over all competitions took "
            f"{said['gpu_hours_full_run']:,} GPU-hours, {said['input_tokens'] / 1e6:.1f} million tokens in and "
            f"{said['output_tokens'] / 1e6:.1f} million out. "
            "Its price in dollars is not among the figures taken from there."
        ),
        **_known(here, "no entry here both states its cost and has medals that were counted here"),
        "chart": draw_bars("effect-cost", "Score of entries with a stated cost", bars),
    }


def _descriptions(said: Json, groups: Sequence[Contrast]) -> dict[str, Any]:
    shared = f"{said['scaffold']}, {said['llm']}"
    words = " and ".join(f"{percent} % with the {name}" for name, percent in said["any_medal"].items())
    return {
        "title": "Descriptions the agent may know",
        "published": f"{shared}: {words} descriptions, so knowing the competitions by heart bought next to nothing.",
        **_read(groups, "no agent stands here with both the original and the obfuscated descriptions"),
        "chart": draw_bars(
            "effect-descriptions",
            "Original and obfuscated descriptions",
            [*published_bars(said["any_medal"], shared), *bars_here(groups)],
        ),
    }


def _range(any_medal: Mapping[str, float]) -> str:
    """From the best to the worst, in words."""
    ordered = sorted(any_medal.items(), key=lambda pair: -pair[1])
    (first, best), *rest = ordered
    return ", ".join([f"{first} reached {best} %", *(f"{name} {percent} %" for name, percent in rest)])


def _numbers(points: Mapping[str, float]) -> dict[float, float]:
    return {float(x): y for x, y in points.items()}


def _read(groups: Sequence[Contrast], lacking: str) -> dict[str, Any]:
    return _known(say_spread(groups), lacking)


def _known(here: str, lacking: str) -> dict[str, Any]:
    return {"here": here or f"No data yet: {lacking}.", "is_known": bool(here)}
