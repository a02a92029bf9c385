"""Medals of one entry by competition. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Tally:
    """Medals won in so many runs. A missing run won none."""

    won: int
    runs: int

    @property
    def rate(self) -> float:
        """Percent."""
        return 100 * self.won / self.runs


# Competition id to its tally.
Medals = Mapping[str, Tally]


def rate_of(medals: Medals, competitions: Iterable[str]) -> float:
    """Mean over the competitions, percent; each counts alike however many runs it has."""
    rates = [medals[each].rate for each in competitions]
    return sum(rates) / len(rates)


def expected_rates(others: Iterable[Medals], least: int) -> dict[str, float]:
    """The mean rate of other entries by competition, where at least so many of them have tried it."""
    found: dict[str, list[float]] = {}
    for medals in others:
        for competition, tally in medals.items():
            found.setdefault(competition, []).append(tally.rate)
    return {each: sum(rates) / len(rates) for each, rates in found.items() if len(rates) >= least}
