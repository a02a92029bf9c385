"""The statistics of one entry on a split as plain JSON: what its row keeps, whoever else stands beside it. Pure."""

from typing import Any

from leaderboard.board_lines import UNRANKED
from leaderboard.statistics.resampling import RESAMPLES, SEED
from leaderboard.statistics.split import SplitFigures
from leaderboard.statistics.ties import FEWEST_COMPETITIONS

__all__ = [
    "ALL_MASKED",
    "FEW",
    "FEW_COUNTED",
    "NOT_ATTEMPTED",
    "NO_RUNS",
    "UNRANKED",
    "show_own",
    "show_parts",
]
Json = dict[str, Any]
NO_RUNS = "The runs behind this row are not known here: it has a rank, but no range and no interval."
NOT_ATTEMPTED = "The entry did not attempt this split as a whole."
FEW = f"Fewer than {FEWEST_COMPETITIONS} competitions cannot tell agents apart."

FEW_COUNTED = f"Fewer than {FEWEST_COMPETITIONS} competitions count for this entry; the others are masked."
ALL_MASKED = "Every competition of this split is masked for this entry, so that nothing counts."


def show_own(entry: int, split: SplitFigures, is_attempted: bool) -> Json:
    """All about one entry that holds on every board; `why_not`: why it can have no rank range on any, else None."""
    known = split.entries.get(entry)
    interval = known.interval if known else None
    return {
        "why_not": _why_not(entry, split, is_attempted),
        "competitions": split.competitions,
        "counted": _counted(entry, split),
        "seed": SEED,
        "resamples": RESAMPLES,
        "interval_low": interval.low if interval else None,
        "interval_high": interval.high if interval else None,
        "pass_at_k": known.pass_at_k if known else [],
    }


def show_parts(kind: str, entry: int, split: SplitFigures) -> Json:
    """By name of the part: mean and SEM in percent, and its competitions."""
    known = split.entries.get(entry)
    if known is None:
        return {}
    return {
        part[1]: {"mean": figure.mean, "sem": figure.sem, "competitions": known.sizes[part]}
        for part, figure in known.parts.items()
        if part[0] == kind
    }


def _why_not(entry: int, split: SplitFigures, is_attempted: bool) -> str | None:
    if entry in split.emptied:
        return ALL_MASKED
    if not is_attempted:
        return NOT_ATTEMPTED
    if entry not in split.entries:
        return NO_RUNS
    if not split.is_enough:
        return FEW
    return None if split.entries[entry].is_enough else FEW_COUNTED


def _counted(entry: int, split: SplitFigures) -> int | None:
    """How many of them count for the entry; None where its runs are not known."""
    if entry in split.emptied:
        return 0
    return split.entries[entry].grid.competitions if entry in split.entries else None
