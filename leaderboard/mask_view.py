"""What a row comes to under a mask, and which rank: stored with the snapshot, or made when somebody asks. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leaderboard.parts import MASK, Parts
from leaderboard.ranking import DECIMALS
from leaderboard.statistics.masks import Mask, say_mask

Row = Mapping[str, Any]
WHOLE = Mask.NONE.value


@dataclass(frozen=True)
class MaskRanks:
    """By entry its rank among the rows whose runs are known here, with everything counted and under a mask."""

    whole: Mapping[int, int] = field(default_factory=dict)
    masked: Mapping[int, int] = field(default_factory=dict)


def offered_masks(rows: Sequence[Row]) -> dict[str, str]:
    """The masks of a board in words, by name: those that leave something out; none where no runs are known."""
    known = next((row for row in rows if row["masks"]), None)
    if known is None:
        return {}
    stored = [mask.value for mask in Mask if mask is Mask.NONE or _hides_any(rows, mask.value)]
    parts = known["categories"]
    others = parts.masks if isinstance(parts, Parts) else []
    return {name: say_mask(name) for name in (*stored, *others)}


def _hides_any(rows: Sequence[Row], mask: str) -> bool:
    return any(
        mask in masks and masks[mask]["competitions"] < masks[WHOLE]["competitions"]
        for row in rows
        if (masks := row["masks"])
    )


def figures_under(row: Row, mask: str) -> Mapping[str, Any] | None:
    """Mean, SEM and number of competitions; None where the runs are not known or nothing is left."""
    if found := (row["masks"] or {}).get(mask):
        return dict(found)
    parts = row["categories"]
    return parts.get(f"{MASK}{mask}") if isinstance(parts, Parts) else None


def rank_under(rows: Sequence[Row], mask: str) -> MaskRanks:
    """The ranks among the rows that are ranked at all."""
    compared = [row for row in rows if ((row["masks"] or {}).get(WHOLE) or {}).get("rank") is not None]
    return MaskRanks(_ranks(compared, WHOLE), _ranks(compared, mask))


def _ranks(rows: Sequence[Row], mask: str) -> dict[int, int]:
    """1 + the number of rows above, by the figure as it is printed."""
    means = {
        row["entry"]: round(figures["mean"], DECIMALS)
        for row in rows
        if (figures := figures_under(row, mask))
    }
    often, ranks, above = Counter(means.values()), {}, 0
    for mean in sorted(often, reverse=True):
        ranks[mean] = above + 1
        above += often[mean]
    return {entry: ranks[mean] for entry, mean in means.items()}


def place_under(row: Row, mask: str, ranks: MaskRanks) -> tuple[int | None, int | None]:
    """The rank of a row under a mask, and how many ranks it won (above 0) or lost by it."""
    masks = row["masks"] or {}
    if mask in masks:
        whole, masked = masks.get(WHOLE, {}).get("rank"), masks[mask].get("rank")
    else:
        whole, masked = ranks.whole.get(row["entry"]), ranks.masked.get(row["entry"])
    return masked, None if whole is None or masked is None else whole - masked
