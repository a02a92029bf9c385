"""The statistics of one board: rank ranges, the tie group of its leader, ranks under masks. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.ranking import Line, Placed, rank_lines
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
    alone, since nobody knows what the others have without a competition.
    """

    leader: int | None
    attempted: frozenset[int]
    compared: frozenset[int]
    ranges: Ranges
    comparisons: Mapping[int, Comparison]
    mask_ranks: PartRanks


def study_board(split: SplitFigures, lines: Sequence[Line], placed: Sequence[Placed]) -> BoardFigures:
    """The figures of a board of that split. `lines` and `placed` are those of `rank_lines`."""
    compared = [each.entry for each in placed if each.rank is not None and each.entry in split.entries]
    leads = bool(compared) and split.is_enough and placed[0].entry == compared[0]
    return BoardFigures(
        leader=compared[0] if leads else None,
        attempted=frozenset(line.entry for line in lines if line.figure is not None),
        compared=frozenset(compared),
        ranges=_ranges(split, lines, placed) if split.is_enough else {},
        comparisons=_comparisons(split, compared) if leads else {},
        mask_ranks={
            part: _ranks(split, part, lines, set(compared)) for part in split.sizes if part[0] == MASKS
        },
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


def _ranks(
    split: SplitFigures, part: Part, lines: Sequence[Line], compared: set[int]
) -> dict[int, int | None]:
    figured = [
        Line(line.entry, split.entries[line.entry].parts[part].mean, True, line.run_on)
        for line in lines
        if line.entry in compared
    ]
    return {each.entry: each.rank for each in rank_lines(figured)}
