"""Building a benchmark's standings: who is placed where, in what order, with what to show."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime

from django.db import transaction

from grading.graders.version import GRADER_VERSION
from grading.models import Benchmark, Membership
from grading.splits import Split
from leaderboard.models import (
    Decision,
    Entry,
    EntryResult,
    EntryRun,
    Flag,
    Placement,
    Snapshot,
    Standing,
    Track,
)
from leaderboard.ranking import Line
from leaderboard.rows import Candidate, build_row

ALL_TRACKS = "all"
KEPT_SNAPSHOTS = 20


def rebuild_standings(benchmark: Benchmark, now: datetime) -> Snapshot:
    """The snapshot that is current now: a new one, or the one before where nothing shown has changed."""
    with transaction.atomic():
        # Two builders one after the other, each seeing what the other wrote. SQLite has one writer anyway.
        Benchmark.objects.select_for_update().get(pk=benchmark.pk)
        standings = list(_build(benchmark, now))
        digest = _digest(standings)
        current = Snapshot.objects.filter(benchmark=benchmark, is_current=True).first()
        if current and current.digest == digest:
            return current
        return _replace(benchmark, standings, digest, now)


def current_placement(entry: Entry, now: datetime) -> Placement | None:
    """Where the entry stands now: the newest placement that has taken effect."""
    placements = entry.placements.filter(effective_at__lte=now).select_related("track")
    return placements.order_by("-effective_at", "-pk").first()


def _replace(benchmark: Benchmark, standings: list[Standing], digest: str, now: datetime) -> Snapshot:
    Snapshot.objects.filter(benchmark=benchmark, is_current=True).update(is_current=False)
    snapshot = Snapshot.objects.create(
        benchmark=benchmark, digest=digest, grader_version=GRADER_VERSION, built_at=now, is_current=True
    )
    for standing in standings:
        standing.snapshot = snapshot
    Standing.objects.bulk_create(standings, batch_size=500)
    _prune(benchmark)
    return snapshot


def _prune(benchmark: Benchmark) -> None:
    """Rows of old snapshots go; the snapshots stay as a record of what was shown when."""
    kept = Snapshot.objects.filter(benchmark=benchmark).order_by("-pk").values_list("pk", flat=True)
    old = Standing.objects.filter(snapshot__benchmark=benchmark).exclude(
        snapshot__in=list(kept[:KEPT_SNAPSHOTS])
    )
    old.delete()


def _digest(standings: Iterable[Standing]) -> str:
    """SHA-256 over all that is shown. Raises ValueError on a number that is not finite."""
    shown = [(s.track, s.split, s.position, s.rank, s.entry_id, s.row) for s in standings]
    text = json.dumps([GRADER_VERSION, shown], sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _build(benchmark: Benchmark, now: datetime) -> Iterator[Standing]:
    """Every standing of every board, unsaved."""
    # Here, since it brings NumPy, which takes longer to load than all the rest: only those who build need it.
    from leaderboard.known_runs import study_lines, study_splits

    competitions = _competitions(benchmark)
    # A split of one competition has a score of its own beside the medal rate.
    only = {split: ids[0] for split, ids in competitions.items() if len(ids) == 1}
    candidates, boards = _candidates(benchmark, now, set(only.values())), _boards()
    studied = study_splits(benchmark, competitions, _graded(candidates))
    for split in competitions:
        there = [each for each in candidates if _touches(each.entry, split)]
        rows = {each.entry.pk: build_row(each, split, list(competitions), only.get(split)) for each in there}
        for board, shown in boards:
            lines = [_line(each, split) for each in there if each.placement.track.slug in shown]
            for placed, figures in study_lines(lines, studied[split]):
                yield Standing(
                    track=board,
                    split=split.value,
                    position=placed.position,
                    rank=placed.rank,
                    entry_id=placed.entry,
                    row={**rows[placed.entry], **figures},
                )


def _graded(candidates: Iterable[Candidate]) -> dict[int, Mapping[str, EntryResult]]:
    """The results of the entries whose runs are here."""
    graded = Entry.Source.GRADED
    return {each.entry.pk: each.results for each in candidates if each.entry.source == graded}


def _competitions(benchmark: Benchmark) -> dict[Split, list[str]]:
    """The splits that have competitions, in their order, with the ids of these."""
    members = list(Membership.objects.filter(benchmark=benchmark).values_list("competition_id", "split"))
    found = {split: [key for key, stored in members if stored in split.members] for split in Split}
    return {split: sorted(ids) for split, ids in found.items() if ids}


def _boards() -> list[tuple[str, set[str]]]:
    """Each board with the tracks whose entries it shows: its own and those it shows also; `all` shows all."""
    tracks = Track.objects.prefetch_related("shows_also")
    boards = [
        (track.slug, {track.slug, *(other.slug for other in track.shows_also.all())}) for track in tracks
    ]
    return [*boards, (ALL_TRACKS, {slug for slug, _ in boards})]


def _touches(entry: Entry, split: Split) -> bool:
    """Whether the entry attempted any part of the split; a Lite entry is listed, unranked, among all 75."""
    return bool(set(Split(entry.scope).members) & set(split.members))


def _line(candidate: Candidate, split: Split) -> Line:
    result = candidate.results.get(split.value)
    return Line(
        entry=candidate.entry.pk,
        mean=result.any_medal_mean if result else None,
        is_ranked=candidate.placement.track.is_ranked,
        run_on=candidate.entry.run_on,
    )


def _candidates(benchmark: Benchmark, now: datetime, scored: Collection[str]) -> list[Candidate]:
    """The published entries with all that is shown of them, in a number of queries that does not grow."""
    placements = _placements(benchmark, now)
    results: dict[int, dict[str, EntryResult]] = defaultdict(dict)
    for result in EntryResult.objects.filter(entry__benchmark=benchmark):
        results[result.entry_id][result.split] = result
    flags: dict[int, list[Flag]] = defaultdict(list)
    for flag in Flag.objects.filter(entry__benchmark=benchmark, state=Flag.State.UPHELD).order_by("pk"):
        flags[flag.entry_id].append(flag)
    scores = _scores(benchmark, scored)
    entries = Entry.objects.filter(benchmark=benchmark).select_related("agent__organisation", "benchmark")
    return [
        Candidate(entry, placements[entry.pk], results[entry.pk], flags[entry.pk], scores[entry.pk])
        for entry in entries.order_by("pk")
        if entry.pk in placements
    ]


def _placements(benchmark: Benchmark, now: datetime) -> dict[int, Placement]:
    """The placement that counts at the moment, by entry; entries that were withdrawn have none."""
    withdrawn = Decision.objects.filter(
        kind=Decision.Kind.WITHDRAW, entry__benchmark=benchmark, effective_at__lte=now
    )
    placements = (
        Placement.objects.filter(entry__benchmark=benchmark, effective_at__lte=now)
        .exclude(entry__in=withdrawn.values("entry"))
        .select_related("track", "decision")
        .order_by("effective_at", "pk")
    )
    return {placement.entry_id: placement for placement in placements}


def _scores(
    benchmark: Benchmark, competitions: Collection[str]
) -> Mapping[int, dict[str, dict[str, float | None]]]:
    """By entry, competition and seed, for the competitions that are a split by themselves."""
    found: dict[int, dict[str, dict[str, float | None]]] = defaultdict(lambda: defaultdict(dict))
    runs = EntryRun.objects.filter(entry__benchmark=benchmark, competition__in=competitions)
    for entry, competition, seed, score in runs.values_list("entry", "competition", "seed", "score"):
        found[entry][competition][seed] = score
    return found
