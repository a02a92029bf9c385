"""The order of a board as it is stored, and the row that it makes with what is stored of an entry. Pure.

What depends on who else stands on a board is kept by column, a text for each board; all else is kept by entry.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leaderboard.statistics.level import ALPHA

Json = dict[str, Any]
UNRANKED = "This row is not ranked here."


@dataclass(frozen=True)
class Lines:
    """The lines of a board from its top; None where a line does not have the figure.

    `leader`: whom the others were compared with; None where nobody was. `mask_ranks`: by mask, among known runs.
    `parts`: the parts of the split's competitions by name, for `parts.read_named`.
    """

    entry: Sequence[int] = ()
    rank: Sequence[int | None] = ()
    rank_low: Sequence[int | None] = ()
    rank_high: Sequence[int | None] = ()
    differing: Sequence[int | None] = ()
    p_value: Sequence[float | None] = ()
    p_adjusted: Sequence[float | None] = ()
    mask_ranks: Mapping[str, Sequence[int | None]] = field(default_factory=dict)
    leader: int | None = None
    parts: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.entry)

    def places(self) -> Iterator[tuple[int, int | None, int]]:
        """Position, rank and entry of each line."""
        for at, (entry, rank) in enumerate(zip(self.entry, self.rank, strict=True)):
            yield at + 1, rank, entry

    def complete(self, at: int, row: Mapping[str, Any]) -> Json:
        """The row of the line at a place from 0, of what is stored of its entry."""
        own = row["statistics"]
        return {
            **row,
            "statistics": self._statistics(at, own) if own else own,
            "masks": {
                name: {**figures, "rank": self.mask_ranks[name][at] if name in self.mask_ranks else None}
                for name, figures in row["masks"].items()
            }
            if row["masks"]
            else row["masks"],
        }

    def _statistics(self, at: int, own: Mapping[str, Any]) -> Json:
        why_not = own["why_not"] or (UNRANKED if self.rank[at] is None else None)
        is_leader = self.entry[at] == self.leader
        p_adjusted = self.p_adjusted[at]
        compared = None if p_adjusted is None else p_adjusted > ALPHA
        return {
            "applies": why_not is None,
            **own,
            "why_not": why_not,
            "rank_low": self.rank_low[at],
            "rank_high": self.rank_high[at],
            "is_leader": is_leader,
            "tied_with_leader": True if is_leader else compared,
            "p_value": self.p_value[at],
            "p_adjusted": p_adjusted,
            "differing": self.differing[at],
        }


def dump_lines(lines: Lines) -> str:
    # Not `asdict`, which would copy every number.
    return json.dumps(vars(lines), separators=(",", ":"), allow_nan=False)


def read_lines(text: str) -> Lines:
    return Lines(**json.loads(text))
