"""Building a benchmark's standings: who is placed where, in what order, with what to show.

What is stored of an entry does not depend on the others, so that after a decision all of it but that entry's stays
as it is; the order of the boards, which does, is reckoned anew from columns each time.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from grading.fault_points import fault_point
from grading.graders.version import GRADER_VERSION
from grading.models import Benchmark, Membership
from grading.splits import Split
from leaderboard.board_lines import dump_lines
from leaderboard.collector import paused_collector
from leaderboard.masks import masks_by_entry
from leaderboard.models import (
    Decision,
    Entry,
    EntryResult,
    EntryRun,
    Flag,
    Placement,
    Snapshot,
    StoredRow,
    Track,
)
from leaderboard.rows import Candidate
from leaderboard.standings_basis import find_touched, newest_decision, read_basis
from leaderboard.store_standings import (
    Changes,
    Ordered,
    find_changes,
    open_snapshot,
    prune_standings,
    replace_snapshot,
    write_changes,
)

STANDINGS_BUILT = fault_point("standings_built")
SNAPSHOT_SWITCHED = fault_point("snapshot_switched")
ALL_TRACKS = "all"
MANY = 500


@dataclass(frozen=True)
class _Build:
    """What goes into one build. `is_whole`: everything is made anew, and not only what decisions touched."""

    benchmark: Benchmark
    now: datetime
    current: Snapshot | None
    basis: str
    is_whole: bool


@dataclass(frozen=True)
class _Made:
    """`changes`: of the stored rows; `parts`: by split the parts of its competitions."""

    changes: Changes
    parts: Mapping[Split, Mapping[str, str]]


def rebuild_standings(benchmark: Benchmark, now: datetime) -> Snapshot:
    """The snapshot that is current now: a new one, or the one before where nothing shown has changed."""
    return _build(benchmark, now, is_whole=True)


def refresh_standings(benchmark: Benchmark, now: datetime) -> Snapshot:
    """The same after decisions: only the entries these are on are looked at again, and all boards put in order anew."""
    return _build(benchmark, now, is_whole=False)


def _build(benchmark: Benchmark, now: datetime, is_whole: bool) -> Snapshot:
    with transaction.atomic(), paused_collector():
        # Two builders one after the other, each seeing what the other wrote. SQLite has one writer anyway.
        Benchmark.objects.select_for_update().get(pk=benchmark.pk)
        current = Snapshot.objects.filter(benchmark=benchmark, is_current=True).first()
        basis = read_basis(benchmark)
        if current is None or current.basis != basis or current.seen_until is None:
            is_whole = True
        elif not is_whole:
            # What one build has shown, the next does not take back because its clock was read earlier.
            now = max(now, current.seen_until)
        seen = newest_decision()
        snapshot = _settle(_Build(benchmark, now, current, basis, is_whole))
        Snapshot.objects.filter(pk=snapshot.pk).update(basis=basis, seen_decision=seen, seen_until=now)
        return snapshot


def _settle(build: _Build) -> Snapshot:
    competitions = list_competitions(build.benchmark)
    made = _make(build, competitions)
    if build.current and not made.changes and not build.is_whole:
        return build.current
    snapshot = open_snapshot(build.benchmark, GRADER_VERSION, build.now)
    write_changes(snapshot, made.changes)
    boards = _order(build.benchmark, competitions, made.parts)
    digest = _digest(build.benchmark, boards)
    STANDINGS_BUILT.reach()
    if build.current and build.current.digest == digest and not made.changes:
        snapshot.delete()
        return build.current
    replace_snapshot(build.current, snapshot, digest, boards)
    prune_standings(build.benchmark)
    SNAPSHOT_SWITCHED.reach()
    return snapshot


def _make(build: _Build, competitions: Mapping[Split, Sequence[str]]) -> _Made:
    """The rows that may be others now."""
    # Here, since it brings NumPy, which takes longer to load than all the rest: only those who build need it.
    from leaderboard.entry_rows import make_rows, read_sources

    sources, touched = read_sources(build.benchmark), None
    if build.current and not build.is_whole:
        touched = find_touched(build.current, build.now, sources)
    # More are not read faster one by one than all together.
    if touched is not None and len(touched) > MANY:
        touched = None
    only = {ids[0] for ids in competitions.values() if len(ids) == 1}
    candidates = read_candidates(build.benchmark, build.now, only, touched)
    studied, rows = make_rows(build.benchmark, competitions, candidates, sources, touched)
    parts = {split: figures.named for split, figures in studied.items()}
    return _Made(find_changes(build.benchmark, rows, touched), parts)


def _order(
    benchmark: Benchmark,
    competitions: Mapping[Split, Sequence[str]],
    parts: Mapping[Split, Mapping[str, str]],
) -> list[Ordered]:
    """Every board that has lines."""
    from leaderboard.stored_columns import order_split

    boards, ranked = (
        dict(tracks_by_board()),
        set(Track.objects.filter(is_ranked=True).values_list("slug", flat=True)),
    )
    return [
        Ordered(track, split.value, len(lines), dump_lines(lines))
        for split, ids in competitions.items()
        for track, lines in order_split(benchmark, split, len(ids), boards, ranked, parts[split]).items()
    ]


def _digest(benchmark: Benchmark, boards: Iterable[Ordered]) -> str:
    """SHA-256 over all that is shown."""
    digest = hashlib.sha256(GRADER_VERSION.encode())
    for board in boards:
        digest.update(f"\n{board.track} {board.split} {board.lines}".encode())
    rows = StoredRow.objects.filter(benchmark=benchmark, until=None).order_by()
    for entry, split, row in sorted(rows.values_list("entry", "split", "digest")):
        digest.update(f"\n{entry} {split} {row}".encode())
    return digest.hexdigest()


def current_placement(entry: Entry, now: datetime) -> Placement | None:
    """Where the entry stands now: the newest placement that has taken effect."""
    placements = entry.placements.filter(effective_at__lte=now).select_related("track")
    return placements.order_by("-effective_at", "-pk").first()


def list_competitions(benchmark: Benchmark) -> dict[Split, list[str]]:
    """The splits that have competitions, in their order, with the ids of these."""
    members = list(Membership.objects.filter(benchmark=benchmark).values_list("competition_id", "split"))
    found = {split: [key for key, stored in members if stored in split.members] for split in Split}
    return {split: sorted(ids) for split, ids in found.items() if ids}


def tracks_by_board() -> list[tuple[str, set[str]]]:
    """Each board with the tracks whose entries it shows: its own and those it shows also; `all` shows all."""
    tracks = Track.objects.prefetch_related("shows_also")
    boards = [
        (track.slug, {track.slug, *(other.slug for other in track.shows_also.all())}) for track in tracks
    ]
    return [*boards, (ALL_TRACKS, {slug for slug, _ in boards})]


def read_candidates(
    benchmark: Benchmark, now: datetime, scored: Collection[str], only: Collection[int] | None = None
) -> list[Candidate]:
    """The published entries with all that is shown of them, in a number of queries that does not grow.

    `only`: those of these alone, if not of all.
    """
    of = {"entry__benchmark": benchmark} if only is None else {"entry__in": only}
    placements = _placements(of, now)
    results: dict[int, dict[str, EntryResult]] = defaultdict(dict)
    for result in EntryResult.objects.filter(**of):
        results[result.entry_id][result.split] = result
    flags: dict[int, list[Flag]] = defaultdict(list)
    for flag in Flag.objects.filter(**of, state=Flag.State.UPHELD).order_by("pk"):
        flags[flag.entry_id].append(flag)
    scores, masks = _scores(of, scored), masks_by_entry(benchmark, now, only)
    here = {"benchmark": benchmark} if only is None else {"pk__in": only}
    entries = Entry.objects.filter(**here).select_related("agent__organisation", "benchmark")
    return [
        Candidate(
            entry,
            placements[entry.pk],
            results[entry.pk],
            flags[entry.pk],
            scores[entry.pk],
            masks.get(entry.pk, ()),
        )
        for entry in entries.order_by("pk")
        if entry.pk in placements
    ]


def _placements(of: Mapping[str, Any], now: datetime) -> dict[int, Placement]:
    """The placement that counts at the moment, by entry; entries that were withdrawn have none."""
    withdrawn = Decision.objects.filter(**of, kind=Decision.Kind.WITHDRAW, effective_at__lte=now)
    placements = (
        Placement.objects.filter(**of, effective_at__lte=now)
        .exclude(entry__in=withdrawn.values("entry"))
        .prefetch_related("track")
        .order_by("effective_at", "pk")
    )
    found = {placement.entry_id: placement for placement in placements}
    # The grounds are shown of these alone; the decisions of all would be most of what is read.
    warned = Decision.objects.filter(**of, placements__track__is_warned=True)
    grounds = {decision.pk: decision for decision in warned}
    for placement in found.values():
        if placement.track.is_warned:
            placement.decision = grounds[placement.decision_id]
    return found


def _scores(
    of: Mapping[str, Any], competitions: Collection[str]
) -> Mapping[int, dict[str, dict[str, float | None]]]:
    """By entry, competition and seed, for the competitions that are a split by themselves."""
    found: dict[int, dict[str, dict[str, float | None]]] = defaultdict(lambda: defaultdict(dict))
    runs = EntryRun.objects.filter(**of, competition__in=competitions)
    for entry, competition, seed, score in runs.values_list("entry", "competition", "seed", "score"):
        found[entry][competition][seed] = score
    return found
