"""Hours as the run card has them, held against the times in the logs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from leaderboard.integrity.checks.base import Disclosure

# Start and end of a log are not those of the run to the minute.
FACTOR: Final = 1.1
GRACE_H: Final = 0.25


@dataclass(frozen=True)
class Longer:
    """A run, or `on average`, whose logs cover more hours than were said to be allowed or used."""

    what: str
    logged: float
    said: float
    kind: str

    def __str__(self) -> str:
        return f"{self.what} {self.logged:g} h, {self.said:g} {self.kind}"


def find_longer(disclosure: Disclosure) -> list[Longer]:
    """Longest first."""
    return sorted(_longer(disclosure), key=lambda each: -each.logged)


def _longer(disclosure: Disclosure) -> Iterator[Longer]:
    on_average: list[float] = []
    longest = ("", 0.0)
    for place, span in disclosure.logs.spans.items():
        said, is_own = _said(disclosure, place)
        if _is_longer(span.hours, said.get("hours_allowed")):
            yield Longer(place, span.hours, said["hours_allowed"], "allowed")
        elif is_own and _is_longer(span.hours, said.get("hours_used")):
            yield Longer(place, span.hours, said["hours_used"], "used")
        elif not is_own:
            on_average.append(span.hours)
            longest = max(longest, (place, span.hours), key=lambda run: run[1])
    used = disclosure.part("compute")["default"].get("hours_used")
    average = _average(on_average, _runs(disclosure))
    if _is_longer(average, used):
        yield Longer(f"{longest[0]} {longest[1]:g} h, and on average", average, used, "used")


def _average(hours: list[float], runs: int) -> float:
    """Over the runs whose logs say so, if they are half of all; else at least what they add to the average of all."""
    return round(sum(hours) / (len(hours) if 2 * len(hours) >= runs else runs), 2) if hours else 0.0


def _runs(disclosure: Disclosure) -> int:
    return sum(len(seed.present) for seed in disclosure.runs.seeds.values())


def _is_longer(logged: float, said: float | None) -> bool:
    return said is not None and logged > said * FACTOR + GRACE_H


def _said(disclosure: Disclosure, place: str) -> tuple[Mapping[str, Any], bool]:
    """What the run card says of a run, and whether the hours it used are its own and not the average."""
    seed, _, competition = place.rpartition("/")
    rows = [row for row in disclosure.rows("compute", "overrides") if _covers(row, seed, competition)]
    said = dict(disclosure.part("compute")["default"])
    # Of two exceptions the one that names both seed and competition counts.
    for row in sorted(rows, key=lambda row: ("seed" in row) + ("competition" in row)):
        said.update(row)
    return said, any("hours_used" in row for row in rows)


def _covers(row: Mapping[str, Any], seed: str, competition: str) -> bool:
    return bool(row.get("seed", seed) == seed and row.get("competition", competition) == competition)
