"""The statistics of one board: rank ranges, the tie group of its leader, ranks under masks. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from leaderboard.ranking import DECIMALS, Line, Placed
from leaderboard.statistics.masks import MASKS
from leaderboard.statistics.rank_range import rank_ranges
from leaderboard.statistics.resampling import UNIT
from leaderboard.statistics.split import Part, SplitFigures
from leaderboard.statistics.ties import Comparison, compare_with_leader

Ranges = Mapping[int, tuple[int, int]]
PartRanks = Mapping[Part, Mapping[int, int | None]]


@dataclass(frozen=True)
class BoardFigures:
    """By entry, for those compared: ranked, with known runs. `leader`: None where it is not one of these.

    `attempted`: every entry that has a figure on the split, known runs or not. `mask_ranks` count the compared ones
    alone, since nobody knows what the others have without a competition. `texts`: room for what is shown of each.
    """

    leader: int | None
    attempted: frozenset[int]
    compared: frozenset[int]
    ranges: Ranges
    comparisons: Mapping[int, Comparison]
    mask_ranks: PartRanks
    texts: dict[int, str]


def study_board(split: SplitFigures, lines: Sequence[Line], placed: Sequence[Placed]) -> BoardFigures:
    """The figures of a board of that split. `lines` and `placed` are those of `rank_lines`.

    Boards that rank the same entries share all but `attempted`, which each line has by itself.
    """
    ranked = tuple((each.entry, each.rank) for each in placed if each.rank is not None)
    if ranked not in split.studied:
        split.studied[ranked] = _study(split, lines, placed)
    attempted = frozenset(line.entry for line in lines if line.figure is not None)
    studied: BoardFigures = split.studied[ranked]
    return replace(studied, attempted=attempted)


def _study(split: SplitFigures, lines: Sequence[Line], placed: Sequence[Placed]) -> BoardFigures:
    compared = [each.entry for each in placed if each.rank is not None and each.entry in split.entries]
    leads = bool(compared) and split.is_enough and placed[0].entry == compared[0]
    return BoardFigures(
        leader=compared[0] if leads else None,
        attempted=frozenset(),
        compared=frozenset(compared),
        ranges=_ranges(split, lines, placed) if split.is_enough else {},
        comparisons=_comparisons(split, compared) if leads else {},
        mask_ranks={part: _ranks(split, part, compared) for part in split.sizes if part[0] == MASKS},
        texts={},
    )


def _ranges(split: SplitFigures, lines: Sequence[Line], placed: Sequence[Placed]) -> Ranges:
    """Entries without known runs stay at the mean they published. A range never leaves out the rank itself."""
    ranks = {each.entry: each.rank for each in placed if each.rank is not None}
    moving = sorted(entry for entry in ranks if entry in split.resampled)
    fixed = [
        round(UNIT * line.figure)
        for line in lines
        if line.entry in ranks and line.entry not in split.resampled and line.figure is not None
    ]
    found = rank_ranges([split.resampled[entry] for entry in moving], fixed)
    return {
        entry: (min(low, ranks[entry]), max(high, ranks[entry]))
        for entry, (low, high) in zip(moving, found, strict=True)
    }


def _comparisons(split: SplitFigures, compared: Sequence[int]) -> dict[int, Comparison]:
    leader, *others = compared
    return compare_with_leader(
        split.entries[leader].grid, {entry: split.entries[entry].grid for entry in others}
    )


def _ranks(split: SplitFigures, part: Part, compared: Iterable[int]) -> dict[int, int | None]:
    """1 + the number of entries above, as `rank_lines` has it; None where all of the part is masked."""
    means = {
        entry: round(figure.mean, DECIMALS)
        for entry in compared
        if (figure := split.entries[entry].parts.get(part))
    }
    often, ranks, above = Counter(means.values()), {}, 0
    for mean in sorted(often, reverse=True):
        ranks[mean] = above + 1
        above += often[mean]
    return {entry: ranks[means[entry]] if entry in means else None for entry in compared}
