"""The medals behind the entries of a benchmark, as grids for the statistics: two queries for any number of entries."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grading.medals import Medal
from grading.models import Benchmark, Membership
from grading.splits import Split
from leaderboard.models import EntryResult, EntryRun
from leaderboard.ranking import Line, Placed, rank_lines
from leaderboard.statistics.board import study_board
from leaderboard.statistics.grid import Flags, Grid, fill_grid
from leaderboard.statistics.masks import MASKS, Mask
from leaderboard.statistics.shown import show_parts, show_statistics
from leaderboard.statistics.split import Part, SplitFigures, study_split

CATEGORIES = "categories"
Row = dict[str, Any]
Results = Mapping[int, Mapping[str, EntryResult]]


def study_splits(
    benchmark: Benchmark, competitions: Mapping[Split, Sequence[str]], results: Results
) -> dict[Split, SplitFigures]:
    """The statistics of every split. `results`: by entry and split, of the entries that are shown."""
    medalled, issues, categories = _medalled(benchmark), *_about(benchmark)
    found = {}
    for split, ids in competitions.items():
        grids = _grids(split, ids, results, medalled)
        found[split] = study_split(len(ids), grids, _parts(ids, issues, categories))
    return found


class StudiedLines:
    """The lines of a board in order, each with the part of its row that depends on the others.

    What is shown of a line is made each time they are gone through: that of thousands would fill the memory.
    """

    def __init__(self, lines: Sequence[Line], split: SplitFigures) -> None:
        self._order, self._split = rank_lines(lines), split
        self._board = study_board(split, lines, self._order)

    def __iter__(self) -> Iterator[tuple[Placed, Row]]:
        for placed in self._order:
            entry = placed.entry
            parts = {kind: show_parts(kind, entry, self._split, self._board) for kind in (MASKS, CATEGORIES)}
            yield placed, {"statistics": show_statistics(entry, self._split, self._board), **parts}


def _grids(
    split: Split, ids: Sequence[str], results: Results, medalled: Mapping[int, Sequence[tuple[str, str]]]
) -> dict[int, Grid]:
    inside = frozenset(ids)
    return {
        entry: fill_grid(
            sorted(result.per_seed), ids, [won for won in medalled.get(entry, ()) if won[1] in inside]
        )
        for entry, by_split in sorted(results.items())
        # Only a split that was attempted has a result, and with it the labels of the seeds.
        if (result := by_split.get(split.value)) and result.per_seed
    }


def _parts(
    ids: Sequence[str], issues: Mapping[str, Collection[str]], categories: Mapping[str, str]
) -> dict[Part, Flags]:
    """The masks and categories that leave something of these competitions."""
    masks = {(MASKS, mask.value): [not mask.hides(issues[key]) for key in ids] for mask in Mask}
    names = sorted({categories[key] for key in ids})
    parts = masks | {(CATEGORIES, name): [categories[key] == name for key in ids] for name in names}
    return {part: np.array(has, dtype=np.bool_) for part, has in parts.items() if any(has)}


def _medalled(benchmark: Benchmark) -> dict[int, list[tuple[str, str]]]:
    """Seed and competition of every run with a medal, by entry."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    runs = EntryRun.objects.filter(entry__benchmark=benchmark).exclude(medal=Medal.NONE).order_by()
    for entry, seed, competition in runs.values_list("entry", "seed", "competition"):
        found[entry].append((seed, competition))
    return found


def _about(benchmark: Benchmark) -> tuple[dict[str, set[str]], dict[str, str]]:
    """The kinds of known issues and the category of each competition."""
    members = Membership.objects.filter(benchmark=benchmark)
    about = list(
        members.values_list("competition", "competition__known_issues", "competition__category").order_by()
    )
    issues = {competition: {issue["kind"] for issue in listed} for competition, listed, _ in about}
    return issues, {competition: category for competition, _, category in about}
