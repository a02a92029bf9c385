"""One board as a whole: order and ranks, rank ranges, the tie group of its leader, ranks under masks. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboard.statistics.columns import Columns, Floats, Places
from leaderboard.statistics.rank_range import Numbered, number_figures, rank_ranges
from leaderboard.statistics.resampling import UNIT
from leaderboard.statistics.split import has_enough
from leaderboard.statistics.ties import Comparisons, compare_with_leader

NOBODY = -1


@dataclass(frozen=True)
class Ranked:
    """What is found out about the ranked lines of a board, the first of its order.

    `low` and `high`: rank ranges, 0 where there is none; `leader`: its place in the columns, NOBODY where others are
    compared with nobody; `comparisons`: of the lines of `compared`, whose runs are known, but for the leader.
    `mask_ranks`: shape (masks, ranked), 0 where there is none.
    """

    ranks: Places
    low: Places
    high: Places
    leader: int
    compared: Places
    comparisons: Comparisons | None
    mask_ranks: Places


@dataclass(frozen=True)
class Studied:
    """`order`: places in the columns, from the top of the board; the first of them are `ranked`."""

    order: Places
    ranked: Ranked


def order_lines(columns: Columns, here: Places, ranked: Collection[str]) -> tuple[Places, Places]:
    """The places of `here` in the order of `ranking.rank_lines`, and the ranks of the first of them, which have one.

    `ranked`: the tracks whose entries are.
    """
    figures = columns.figures[here]
    without = np.isnan(figures)
    unranked = ~np.isin(columns.tracks[here], list(ranked))
    by = columns.entries[here], columns.days[here], -np.nan_to_num(figures), unranked, without
    order = np.lexsort(by)
    falling = -figures[order][: int((~without & ~unranked).sum())]
    return here[order], np.searchsorted(falling, falling, side="left") + 1


def study_ranked(columns: Columns, numbered: Numbered | None, order: Places, ranks: Places) -> Ranked:
    """`order`: the ranked lines of a board, from its top, with their ranks.

    `numbered`: what `columns` says of the resamples; None where competitions are too few to compare anybody.
    """
    known = columns.seeds[order] > 0
    compared = np.flatnonzero(known)
    leads = numbered is not None and bool(len(compared)) and compared[0] == 0
    low, high = _ranges(columns, numbered, order, ranks)
    return Ranked(
        ranks=ranks,
        low=low,
        high=high,
        leader=int(order[0]) if leads else NOBODY,
        compared=compared[1:] if leads else compared[:0],
        comparisons=_compare(columns, order[compared]) if leads else None,
        mask_ranks=np.stack([_mask_ranks(each[order], known) for each in columns.masked.T]),
    )


def _number(columns: Columns) -> Numbered | None:
    if not has_enough(columns.medals.shape[1]):
        return None
    known = columns.figures[~np.isnan(columns.figures)]
    return number_figures(columns.resampled, np.rint(UNIT * known).astype(np.int64).tolist())


def _ranges(
    columns: Columns, numbered: Numbered | None, order: Places, ranks: Places
) -> tuple[Places, Places]:
    """Entries without known runs stay at the mean they published. A range never leaves out the rank itself."""
    low, high = np.zeros_like(ranks), np.zeros_like(ranks)
    if numbered is None:
        return low, high
    at = np.searchsorted(columns.moving, order)
    moves = at < len(columns.moving)
    moves[moves] = columns.moving[at[moves]] == order[moves]
    fixed = [round(UNIT * figure) for figure in columns.figures[order[~moves]].tolist()]
    found = rank_ranges(numbered, at[moves], fixed)
    low[moves] = np.minimum(found[:, 0], ranks[moves])
    high[moves] = np.maximum(found[:, 1], ranks[moves])
    return low, high


def _compare(columns: Columns, order: Places) -> Comparisons:
    return compare_with_leader(columns.seeds[order], columns.medals[order], columns.counted[order])


def _mask_ranks(figures: Floats, known: NDArray[np.bool_]) -> Places:
    """1 + the number of known ones above; 0 where all of the part is masked."""
    has = known & ~np.isnan(figures)
    ranks = np.zeros(len(figures), dtype=np.int64)
    falling = np.sort(-figures[has])
    ranks[has] = np.searchsorted(falling, -figures[has], side="left") + 1
    return ranks


def study_boards(
    columns: Columns, boards: Mapping[str, Collection[str]], ranked: Collection[str]
) -> dict[str, Studied]:
    """Every board of a split by its name. Those that rank the same share their study.

    `boards`: the tracks each shows.
    """
    found: dict[bytes, Ranked] = {}
    studied, numbered = {}, _number(columns)
    for name, shown in boards.items():
        order, ranks = order_lines(columns, columns.on(shown), ranked)
        first = order[: len(ranks)]
        if (key := first.tobytes()) not in found:
            found[key] = study_ranked(columns, numbered, first, ranks)
        studied[name] = Studied(order, found[key])
    return studied
