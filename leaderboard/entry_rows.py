"""What boards store of each entry: its row on every split, and the columns that its place is reckoned from."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grading.models import Benchmark
from grading.splits import Split
from leaderboard.known_runs import show_medals, study_splits
from leaderboard.models import Entry, EntryResult, StoredRow
from leaderboard.ranking import DECIMALS
from leaderboard.row_text import dump_row
from leaderboard.rows import Candidate, build_row, touches
from leaderboard.statistics.masks import MASKS, Mask
from leaderboard.statistics.shown import show_own, show_parts
from leaderboard.statistics.split import EntryFigures, SplitFigures

# All that a row shows of an entry, its agent and organisation.
SHOWN = (
    "slug", "version", "llms", "no_llm", "run_on", "url", "source_available", "reports_available", "notes", "scope",
    "source", "hours", "vcpus", "ram_gb", "gpus", "gpu_model", "cost_usd", "agent__name", "agent__slug",
    "agent__organisation__name", "agent__organisation__slug",
)  # fmt: skip
COLUMNS = ("track", "figure", "run_on", "seeds", "medals", "counted", "resampled", "masked", "source", "row")


def read_sources(benchmark: Benchmark) -> dict[int, str]:
    """By entry what changes with the columns that a row shows of it. One query."""
    found = Entry.objects.filter(benchmark=benchmark).order_by().values_list("pk", *SHOWN)
    return {pk: hashlib.sha256(repr(shown).encode()).hexdigest() for pk, *shown in found.iterator()}


def make_rows(
    benchmark: Benchmark,
    competitions: Mapping[Split, Sequence[str]],
    candidates: Sequence[Candidate],
    sources: Mapping[int, str],
    entries: Collection[int] | None = None,
) -> tuple[dict[Split, SplitFigures], list[StoredRow]]:
    """What is known of every split, and the unsaved rows of the candidates. `entries`: these, if they are not all."""
    studied = study_splits(benchmark, competitions, _graded(candidates), _masked(candidates), entries)
    rows = [
        row
        for split, ids in competitions.items()
        for row in _of_split(candidates, split, competitions, ids, studied[split], sources)
    ]
    return studied, rows


def _graded(candidates: Iterable[Candidate]) -> dict[int, Mapping[str, EntryResult]]:
    """The results of the entries whose runs are here."""
    graded = Entry.Source.GRADED
    return {each.entry.pk: each.results for each in candidates if each.entry.source == graded}


def _masked(candidates: Iterable[Candidate]) -> dict[int, set[str]]:
    """The competitions that do not count, by entry that has some."""
    return {each.entry.pk: {mask.competition for mask in each.masks} for each in candidates if each.masks}


def _of_split(
    candidates: Iterable[Candidate],
    split: Split,
    splits: Iterable[Split],
    ids: Sequence[str],
    studied: SplitFigures,
    sources: Mapping[int, str],
) -> Iterator[StoredRow]:
    # A split of one competition has a score of its own beside the medal rate.
    every, only = list(splits), ids[0] if len(ids) == 1 else None
    for each in candidates:
        if touches(each.entry, split):
            shown = build_row(each, split, every, only)
            yield _row(each, split, shown, studied, sources[each.entry.pk])


def _row(
    candidate: Candidate, split: Split, shown: Mapping[str, Any], studied: SplitFigures, source: str
) -> StoredRow:
    entry, result = candidate.entry, candidate.results.get(split.value)
    figures = studied.entries.get(entry.pk)
    row = StoredRow(
        benchmark_id=entry.benchmark_id,
        entry=entry,
        split=split.value,
        track=candidate.placement.track.slug,
        figure=None if result is None else round(result.any_medal_mean, DECIMALS),
        run_on=entry.run_on,
        source=source,
        row=dump_row(
            {
                **shown,
                "statistics": show_own(entry.pk, studied, result is not None),
                MASKS: show_parts(MASKS, entry.pk, studied),
                "medals": show_medals(figures.grid) if figures else None,
            }
        ),
        **_columns(figures),
        resampled=studied.resampled[entry.pk].astype("<i2").tobytes()
        if entry.pk in studied.resampled
        else b"",
    )
    row.digest = _digest(row)
    return row


def _columns(figures: EntryFigures | None) -> dict[str, Any]:
    """What others are compared with; nothing where the runs are not known."""
    if figures is None:
        return {"seeds": 0, "medals": b"", "counted": b"", "masked": b""}
    grid = figures.grid
    means = (figures.parts.get((MASKS, mask.value)) for mask in Mask)
    masked = [np.nan if figure is None else round(figure.mean, DECIMALS) for figure in means]
    return {
        "seeds": grid.seeds,
        "medals": grid.medals.sum(axis=0).astype("<i2").tobytes(),
        "counted": b"" if grid.counted is None else grid.counted.tobytes(),
        "masked": np.array(masked, dtype="<f8").tobytes(),
    }


def _digest(row: StoredRow) -> str:
    digest = hashlib.sha256()
    for name in COLUMNS:
        value = getattr(row, name)
        digest.update(value if isinstance(value, bytes) else f"\n{value}\n".encode())
    return digest.hexdigest()
