"""The statistics of one row as plain JSON: what pages, CSV and API show. Pure."""

from typing import Any

from leaderboard.statistics.board import BoardFigures
from leaderboard.statistics.resampling import RESAMPLES, SEED
from leaderboard.statistics.split import SplitFigures
from leaderboard.statistics.ties import FEWEST_COMPETITIONS

Json = dict[str, Any]
NO_RUNS = "The runs behind this row are not known here: it has a rank, but no range and no interval."
NOT_ATTEMPTED = "The entry did not attempt this split as a whole."
UNRANKED = "This row is not ranked here."
FEW = f"Fewer than {FEWEST_COMPETITIONS} competitions cannot tell agents apart."

FEW_COUNTED = f"Fewer than {FEWEST_COMPETITIONS} competitions count for this entry; the others are masked."
ALL_MASKED = "Every competition of this split is masked for this entry, so that nothing counts."


def show_statistics(entry: int, split: SplitFigures, board: BoardFigures) -> Json:
    """All about one entry on one board. `applies`: it has a rank range here; else `why_not` says why."""
    why_not = _why_not(entry, split, board)
    return {
        "applies": why_not is None,
        "why_not": why_not,
        "competitions": split.competitions,
        "counted": _counted(entry, split),
        "seed": SEED,
        "resamples": RESAMPLES,
        **_own(entry, split),
        **_rank(entry, board),
        **_against_leader(entry, board),
    }


def show_parts(kind: str, entry: int, split: SplitFigures, board: BoardFigures) -> Json:
    """By name of the part: mean and SEM in percent, and its competitions; of masks the rank among known runs too."""
    known = split.entries.get(entry)
    if known is None:
        return {}
    return {
        part[1]: {
            "mean": figure.mean,
            "sem": figure.sem,
            "competitions": known.sizes[part],
            **({"rank": board.mask_ranks[part].get(entry)} if part in board.mask_ranks else {}),
        }
        for part, figure in known.parts.items()
        if part[0] == kind
    }


def _why_not(entry: int, split: SplitFigures, board: BoardFigures) -> str | None:
    if entry in split.emptied:
        return ALL_MASKED
    if entry not in board.attempted:
        return NOT_ATTEMPTED
    if entry not in split.entries:
        return NO_RUNS
    if not split.is_enough:
        return FEW
    if not split.entries[entry].is_enough:
        return FEW_COUNTED
    return None if entry in board.compared else UNRANKED


def _counted(entry: int, split: SplitFigures) -> int | None:
    """How many of them count for the entry; None where its runs are not known."""
    if entry in split.emptied:
        return 0
    return split.entries[entry].grid.competitions if entry in split.entries else None


def _own(entry: int, split: SplitFigures) -> Json:
    """What needs no other entry."""
    known = split.entries.get(entry)
    interval = known.interval if known else None
    return {
        "interval_low": interval.low if interval else None,
        "interval_high": interval.high if interval else None,
        "pass_at_k": known.pass_at_k if known else [],
    }


def _rank(entry: int, board: BoardFigures) -> Json:
    low, high = board.ranges.get(entry, (None, None))
    return {"rank_low": low, "rank_high": high}


def _against_leader(entry: int, board: BoardFigures) -> Json:
    """The leader is in its own tie group, without a comparison."""
    found = board.comparisons.get(entry)
    is_leader = entry == board.leader
    return {
        "is_leader": is_leader,
        "tied_with_leader": True if is_leader else found.is_tied if found else None,
        "p_value": found.p_value if found else None,
        "p_adjusted": found.p_adjusted if found else None,
        "differing": found.differing if found else None,
    }
