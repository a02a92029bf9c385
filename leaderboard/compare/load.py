"""The entries that are compared, with everything their page shows of them; eight queries however many they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grading.models import Benchmark, Membership
from grading.splits import Split
from leaderboard.compare.lines import NO_CARD, Part, compare_cards
from leaderboard.compare.medals import CompetitionLine, Run, grid_of, line_up
from leaderboard.compare.pairs import Pair, compare_pairs
from leaderboard.models import EntryResult, EntryRun
from leaderboard.profiles import EntryLine, lines_of
from leaderboard.public import public_entries

Titles = Mapping[str, str]


@dataclass(frozen=True)
class Ground:
    """What can be compared run by run: a split of one benchmark that these entries attempted, and its competitions."""

    benchmark: Benchmark
    split: Split
    competitions: Titles
    entries: tuple[int, ...]


@dataclass(frozen=True)
class Compared:
    """`columns`: the entries in the order asked for. `ground`: None where fewer than two can be compared run by run.

    `missing`: numbers that are no published entry's; `carded`: entries that have a run card, which `cards` compares.
    """

    columns: tuple[EntryLine, ...]
    missing: tuple[int, ...]
    splits: tuple[Split, ...] = ()
    ground: Ground | None = None
    lines: tuple[CompetitionLine, ...] = ()
    pairs: tuple[Pair, ...] = ()
    carded: tuple[int, ...] = ()
    cards: tuple[Part, ...] = ()

    @property
    def benchmarks(self) -> list[Benchmark]:
        return list(dict.fromkeys(column.entry.benchmark for column in self.columns))

    @property
    def names(self) -> dict[int, str]:
        """By entry what tells it apart here."""
        return {column.entry.pk: name_of(column.entry, self.columns) for column in self.columns}

    @property
    def different(self) -> list[CompetitionLine]:
        return [line for line in self.lines if line.spread]

    @property
    def equal(self) -> list[CompetitionLine]:
        return [line for line in self.lines if not line.spread]


def name_of(entry: Any, columns: Sequence[EntryLine]) -> str:
    """The agent's name, with the entry's number where two of them share it."""
    alike = sum(column.entry.agent.name == entry.agent.name for column in columns)
    return f"{entry.agent.name} (entry {entry.pk})" if alike > 1 else str(entry.agent.name)


def load(wanted: Sequence[int]) -> Compared:
    """What is published of them."""
    entries = public_entries().filter(pk__in=wanted).select_related("submission__confirmed_revision")
    found = {line.entry.pk: line for line in lines_of(entries)}
    columns = tuple(found[pk] for pk in wanted if pk in found)
    missing = tuple(pk for pk in wanted if pk not in found)
    if len(columns) < 2:
        return Compared(columns, missing)
    documents = {column.entry.pk: _document(column) for column in columns}
    carded = tuple(pk for pk, document in documents.items() if document)
    members = _members(columns)
    ground = find_ground(columns, members)
    runs = _runs(ground) if ground else []
    return Compared(
        columns=columns,
        missing=missing,
        splits=tuple(split for split in Split if any(result_on(column, split) for column in columns)),
        ground=ground,
        lines=tuple(_lines(columns, ground, runs)) if ground else (),
        pairs=tuple(_pairs(columns, ground, runs)) if ground else (),
        carded=carded,
        cards=tuple(compare_cards([documents[pk] for pk in carded])) if len(carded) > 1 else (),
    )


def result_on(column: EntryLine, split: Split) -> EntryResult | None:
    return next((result for result in column.entry.results.all() if result.split == split.value), None)


def find_ground(columns: Sequence[EntryLine], members: Sequence[Membership]) -> Ground | None:
    """The benchmark that most of them with known runs share, and the widest split all of these attempted."""
    known = [column for column in columns if column.entry.submission_id is not None]
    benchmarks = [column.entry.benchmark for column in known]
    shared = max(benchmarks, key=benchmarks.count, default=None)
    entries = [column for column in known if column.entry.benchmark == shared]
    if shared is None or len(entries) < 2:
        return None
    grounds = [
        Ground(shared, split, _titles(shared, split, members), tuple(column.entry.pk for column in entries))
        for split in Split
        if all(_seeds(column, split) for column in entries)
    ]
    return max(grounds, key=lambda ground: len(ground.competitions), default=None)


def _titles(benchmark: Benchmark, split: Split, members: Sequence[Membership]) -> Titles:
    parts = {part.value for part in split.members}
    return {
        member.competition_id: member.competition.title
        for member in members
        if member.benchmark_id == benchmark.pk and member.split in parts
    }


def _seeds(column: EntryLine, split: Split) -> list[str]:
    """The labels of its seeds; none where it did not attempt the split."""
    result = result_on(column, split)
    return sorted(result.per_seed) if result else []


def _members(columns: Sequence[EntryLine]) -> list[Membership]:
    found = Membership.objects.filter(benchmark__in={column.entry.benchmark_id for column in columns})
    return list(found.select_related("competition").order_by("competition"))


def _runs(ground: Ground) -> list[Run]:
    found = EntryRun.objects.filter(entry__in=ground.entries, competition__in=list(ground.competitions))
    columns = ("entry_id", "seed", "competition_id", "outcome", "medal", "above_median", "masked_by_id")
    return [Run(*values) for values in found.order_by().values_list(*columns)]


def _lines(columns: Sequence[EntryLine], ground: Ground, runs: Sequence[Run]) -> list[CompetitionLine]:
    shown = [column.entry.pk if column.entry.pk in ground.entries else None for column in columns]
    return line_up(runs, shown, ground.competitions)


def _pairs(columns: Sequence[EntryLine], ground: Ground, runs: Sequence[Run]) -> list[Pair]:
    ids = list(ground.competitions)
    grids = {
        column.entry.pk: grid_of(
            [run for run in runs if run.entry == column.entry.pk], _seeds(column, ground.split), ids
        )
        for column in columns
        if column.entry.pk in ground.entries
    }
    return compare_pairs(grids)


def _document(column: EntryLine) -> Mapping[str, Any]:
    """The confirmed run card; empty for imported entries, which have none."""
    submission = column.entry.submission
    card = submission.confirmed_revision if submission else None
    return card.document if card else NO_CARD
