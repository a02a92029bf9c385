"""Any Medal over a part of a split's competitions, made from the medals of a row when somebody asks for it. Pure.

A standing keeps which competitions its runs won a medal on, one bit each in the order of their ids; the first standing
of a board keeps which of them are in which category. A board of thousands would be twice as large with the figures.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from leaderboard.aggregation import Figure, mean_and_sem

Row = dict[str, Any]
# Before the name of a mask among the parts of a board; all other parts are categories.
MASK = "mask:"
# Every competition there could be.
ALL = -1
# Names with the competitions each stands for.
Named = Mapping[str, int]


def write_bits(competitions: bytes) -> str:
    """As a row keeps it: the first competition is the lowest bit of the first byte."""
    return competitions.hex()


def read_bits(text: str) -> int:
    return int.from_bytes(bytes.fromhex(text), "little")


def read_named(parts: Mapping[str, str] | None) -> Named:
    """The parts of a board, as its first standing keeps them; none on one of before."""
    return {name: read_bits(text) for name, text in (parts or {}).items()}


class Parts(Mapping[str, Row]):
    """By category mean, SEM and number of competitions. Those of which nothing counts are left out.

    The masks of the board are found by name too, but not gone through.
    """

    __slots__ = ("_counted", "_named", "_won")

    def __init__(self, named: Named, won: Sequence[str], counted: str | None) -> None:
        """`won`: medals by seed; `counted`: the competitions that count, None where all do."""
        # Read here, since an order by one category reads those of all rows.
        self._named, self._won = named, [read_bits(seed) for seed in won]
        self._counted = ALL if counted is None else read_bits(counted)

    @property
    def masks(self) -> list[str]:
        """The names of the board's other masks, whatever counts of each for this row."""
        return [name.removeprefix(MASK) for name in self._named if name.startswith(MASK)]

    def __getitem__(self, name: str) -> Row:
        counted = self._named[name] & self._counted
        competitions = counted.bit_count()
        if not competitions:
            raise KeyError(name)
        won = sorted([(seed & counted).bit_count() for seed in self._won])
        figure = _figure(tuple(won), competitions)
        return {"mean": figure.mean, "sem": figure.sem, "competitions": competitions}

    def __iter__(self) -> Iterator[str]:
        counted = self._counted
        return (name for name, part in self._named.items() if part & counted and not name.startswith(MASK))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@lru_cache(maxsize=2**13)
def _figure(won: tuple[int, ...], competitions: int) -> Figure:
    """Few cases occur among thousands of rows."""
    return mean_and_sem([100 * medals / competitions for medals in won])
