"""Entries of a board that differ in one thing and agree in others. Pure."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.charts.chart import plain
from leaderboard.charts.whisker import Point, Row, llms_text, points_of

Words = Callable[[Row], str]


@dataclass(frozen=True)
class Contrast:
    """Entries that agree in `shared` and differ in the words by which they are kept, the best first."""

    shared: str
    entries: Mapping[str, Point]

    @property
    def spread(self) -> float:
        """Points between the best and the worst."""
        means = [point.mean for point in self.entries.values()]
        return max(means) - min(means)


def contrast(
    rows: Sequence[Row], fixed: Callable[[Row], Hashable], shared: Words, varied: Words
) -> list[Contrast]:
    """Groups with at least two values of `varied`, the widest spread first.

    `fixed` answers None where what must agree is undisclosed, `varied` an empty text; neither can be compared then.
    Of several entries alike in both the best one stands.
    """
    groups: dict[Hashable, dict[str, Point]] = {}
    for point in sorted(points_of(rows), key=lambda p: -p.mean):
        key, word = fixed(point.row), varied(point.row)
        if key is not None and word:
            groups.setdefault(key, {}).setdefault(word, point)
    found = [
        Contrast(shared(next(iter(group.values())).row), group) for group in groups.values() if len(group) > 1
    ]
    return sorted(found, key=lambda each: -each.spread)


def same_llms(row: Row) -> Hashable:
    return tuple(sorted(str(name).casefold() for name in row["llms"])) or None


def same_agent(row: Row) -> Hashable:
    return str(row["agent_slug"])


def same_agent_and_llms(row: Row) -> Hashable:
    llms = same_llms(row)
    return (row["agent_slug"], llms) if llms else None


def same_but_hardware(row: Row) -> Hashable:
    both = same_agent_and_llms(row)
    return (both, row["hours"]) if both and row["hours"] is not None else None


def say_agent(row: Row) -> str:
    return str(row["agent"])


def say_llms(row: Row) -> str:
    return llms_text(row) if row["llms"] else ""


def say_agent_and_llms(row: Row) -> str:
    return f"{row['agent']}, {llms_text(row)}"


def say_hours(row: Row) -> str:
    return "" if row["hours"] is None else f"{plain(row['hours'])} h"


def say_hardware(row: Row) -> str:
    """GPUs as the published comparison names them; nothing where they are undisclosed."""
    if row["gpus"] is None:
        return ""
    return f"{plain(row['gpus'])} x {row['gpu_model'] or 'GPU'}" if row["gpus"] else "CPU only"
