"""The medals behind the entries of a benchmark, as grids for the statistics: two queries for any number of entries."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from grading.medals import Medal
from grading.models import Benchmark, Membership
from grading.splits import Split
from leaderboard.models import EntryResult, EntryRun
from leaderboard.parts import MASK, write_bits
from leaderboard.statistics.grid import Flags, Grid, fill_grid
from leaderboard.statistics.masks import MASKS, About, Mask, other_masks
from leaderboard.statistics.split import Part, SplitFigures, study_split

Row = dict[str, Any]
Results = Mapping[int, Mapping[str, EntryResult]]
Masked = Mapping[int, Set[str]]
# Seed and competition of a medal.
Won = tuple[str, str]


def study_splits(
    benchmark: Benchmark,
    competitions: Mapping[Split, Sequence[str]],
    results: Results,
    masked: Masked = MappingProxyType({}),
    entries: Collection[int] | None = None,
) -> dict[Split, SplitFigures]:
    """The statistics of every split. `results`: by entry and split, of the entries that are shown.

    `masked`: by entry the competitions that do not count for it. `entries`: those to read of, all if not given; what
    comes of an entry is the same whoever else is there.
    """
    about, categories = _about(benchmark)
    whole = _whole_grids(sorted(categories), results, _medalled(benchmark, entries), masked)
    found = {}
    for split, ids in competitions.items():
        grids = _grids(split, ids, whole, results)
        emptied = {entry for entry in masked if masked[entry] >= set(ids)}
        here = {key: about[key] for key in ids}
        studied = study_split(len(ids), grids, _parts(here), emptied=emptied)
        found[split] = replace(studied, named=_named(ids, categories) | _masks(here))
    return found


def show_medals(grid: Grid) -> Row:
    """For `parts.Parts`: the competitions with a medal by seed, and those that count if not all do."""
    won = [write_bits(bits.tobytes()) for bits in np.packbits(grid.medals, axis=1, bitorder="little")]
    return {"won": won, "counted": None if grid.counted is None else _bits(grid.counted)}


def _bits(has: Flags) -> str:
    return write_bits(np.packbits(has, bitorder="little").tobytes())


def _named(ids: Sequence[str], categories: Mapping[str, str]) -> dict[str, str]:
    """By category which of the competitions are in it."""
    names = sorted({categories[key] for key in ids})
    return {name: _bits(np.array([categories[key] == name for key in ids])) for name in names}


@dataclass(frozen=True)
class _Whole:
    """The grids over all competitions of a benchmark, by entry. A split's grids are parts of them."""

    competitions: Sequence[str]
    grids: Mapping[int, Grid]


def _whole_grids(
    ids: Sequence[str], results: Results, medalled: Mapping[int, Sequence[Won]], masked: Masked
) -> _Whole:
    grids = {}
    for entry, by_split in sorted(results.items()):
        # Only a split that was attempted has a result, and with it the labels of the seeds: the same on each.
        if seeds := sorted({seed for result in by_split.values() for seed in result.per_seed}):
            won = medalled.get(entry, ())
            grids[entry] = fill_grid(seeds, ids, won, masked.get(entry, frozenset()))
    return _Whole(ids, grids)


def _grids(split: Split, ids: Sequence[str], whole: _Whole, results: Results) -> dict[int, Grid]:
    columns = np.searchsorted(whole.competitions, ids)
    return {
        entry: grid.part(columns)
        for entry, grid in whole.grids.items()
        if (result := results[entry].get(split.value)) and result.per_seed
    }


def _masks(about: Mapping[str, About]) -> dict[str, str]:
    """By mask which of the competitions count."""
    return {
        f"{MASK}{name}": _bits(np.array([key in counted for key in about]))
        for name, counted in other_masks(about)
    }


def _parts(about: Mapping[str, About]) -> dict[Part, Flags]:
    """The masks that leave something of these competitions, of those that are studied with every snapshot."""
    masks = {(MASKS, mask.value): [not mask.hides(each.issues) for each in about.values()] for mask in Mask}
    return {part: np.array(has, dtype=np.bool_) for part, has in masks.items() if any(has)}


def _medalled(benchmark: Benchmark, entries: Collection[int] | None) -> dict[int, list[Won]]:
    """Seed and competition of every run with a medal, by entry."""
    found: dict[int, list[Won]] = defaultdict(list)
    of = {"entry__benchmark": benchmark} if entries is None else {"entry__in": entries}
    runs = EntryRun.objects.filter(**of).exclude(medal=Medal.NONE).order_by()
    for entry, seed, competition in runs.values_list("entry", "seed", "competition"):
        found[entry].append((seed, competition))
    return found


def _about(benchmark: Benchmark) -> tuple[dict[str, About], dict[str, str]]:
    """What is known about each competition, and its category."""
    columns = ("competition", "competition__known_issues", "competition__closed_on", "competition__category")
    found = list(Membership.objects.filter(benchmark=benchmark).values_list(*columns).order_by())
    about = {
        key: About(frozenset(issue["kind"] for issue in listed), closed) for key, listed, closed, _ in found
    }
    return about, {key: category for key, _, _, category in found}
