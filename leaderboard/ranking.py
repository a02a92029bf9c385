"""The order of a board and the ranks on it. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

DECIMALS = 2


@dataclass(frozen=True)
class Line:
    """What decides the place of an entry on one board. `mean`: percent, None where it was not attempted."""

    entry: int
    mean: float | None
    is_ranked: bool
    run_on: date

    @property
    def figure(self) -> float | None:
        """The mean as it is printed: what cannot be told apart on the page shares a rank."""
        return None if self.mean is None else round(self.mean, DECIMALS)


@dataclass(frozen=True)
class Placed:
    """An entry's place: `position` counts lines from 1; `rank` is shared by equals, None where unranked."""

    entry: int
    position: int
    rank: int | None


def rank_lines(lines: Iterable[Line]) -> list[Placed]:
    """Ranked lines first, best first and 1, 2, 2, 4; then unranked ones by figure; then those without one.

    Inside a tie the earlier run stands first, then the lower number, whatever the order of the input.
    """
    ordered = sorted(lines, key=_order)
    first_at: dict[float | None, int] = {}
    for position, line in enumerate(ordered, start=1):
        first_at.setdefault(line.figure if line.is_ranked else None, position)
    return [
        Placed(line.entry, position, first_at[line.figure] if _has_rank(line) else None)
        for position, line in enumerate(ordered, start=1)
    ]


def _has_rank(line: Line) -> bool:
    return line.is_ranked and line.figure is not None


def _order(line: Line) -> tuple[bool, bool, float, date, int]:
    return line.figure is None, not line.is_ranked, -(line.figure or 0.0), line.run_on, line.entry
