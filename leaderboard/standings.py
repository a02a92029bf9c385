"""Building a benchmark's standings: who is placed where, in what order, with what to show."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from grading.graders.version import GRADER_VERSION
from grading.models import Benchmark, Membership
from grading.splits import Split
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
    Track,
)
from leaderboard.ranking import Line, Placed
from leaderboard.row_text import dump_row, join_rows
from leaderboard.rows import Candidate, build_row
from leaderboard.store_standings import Stored, prune_standings, write_standings

ALL_TRACKS = "all"


@dataclass(frozen=True)
class _Board:
    """A board before it is stored. `track`: a track's slug or "all".

    `rows`: by entry what all boards of the split show of it, `lines`: what this one adds, `of_first`: what its first
    line keeps for all; each as the text of a JSON object.
    """

    track: str
    split: Split
    rows: Mapping[int, str]
    lines: Iterable[tuple[Placed, str]]
    of_first: str


def rebuild_standings(benchmark: Benchmark, now: datetime) -> Snapshot:
    """The snapshot that is current now: a new one, or the one before where nothing shown has changed."""
    with transaction.atomic(), paused_collector():
        # Two builders one after the other, each seeing what the other wrote. SQLite has one writer anyway.
        Benchmark.objects.select_for_update().get(pk=benchmark.pk)
        boards = _build(benchmark, now)
        digest = _digest(_standings(boards))
        current = Snapshot.objects.filter(benchmark=benchmark, is_current=True).first()
        if current and current.digest == digest:
            return current
        return _replace(benchmark, boards, digest, now)


def current_placement(entry: Entry, now: datetime) -> Placement | None:
    """Where the entry stands now: the newest placement that has taken effect."""
    placements = entry.placements.filter(effective_at__lte=now).select_related("track")
    return placements.order_by("-effective_at", "-pk").first()


def _replace(benchmark: Benchmark, boards: Iterable[_Board], digest: str, now: datetime) -> Snapshot:
    Snapshot.objects.filter(benchmark=benchmark, is_current=True).update(is_current=False)
    snapshot = Snapshot.objects.create(
        benchmark=benchmark, digest=digest, grader_version=GRADER_VERSION, built_at=now, is_current=True
    )
    write_standings(snapshot, _standings(boards))
    prune_standings(benchmark)
    return snapshot


def _digest(standings: Iterable[Stored]) -> str:
    """SHA-256 over all that is shown."""
    digest = hashlib.sha256(GRADER_VERSION.encode())
    for each in standings:
        digest.update(
            f"\n{each.track} {each.split} {each.position} {each.rank} {each.entry} {each.text}".encode()
        )
    return digest.hexdigest()


def _standings(boards: Iterable[_Board]) -> Iterator[Stored]:
    """Every standing of every board. One after the other: all at once would fill the memory."""
    for board in boards:
        track, split, rows, of_first = board.track, board.split.value, board.rows, board.of_first
        for placed, figures in board.lines:
            text = join_rows(rows[placed.entry], figures)
            if placed.position == 1:
                text = join_rows(text, of_first)
            yield Stored(track, split, placed.position, placed.rank, placed.entry, text)


def _build(benchmark: Benchmark, now: datetime) -> list[_Board]:
    """Every board."""
    # Here, since it brings NumPy, which takes longer to load than all the rest: only those who build need it.
    from leaderboard.known_runs import StudiedLines, study_splits

    competitions = list_competitions(benchmark)
    # A split of one competition has a score of its own beside the medal rate.
    only = {split: ids[0] for split, ids in competitions.items() if len(ids) == 1}
    built: list[_Board] = []
    candidates, boards = read_candidates(benchmark, now, set(only.values())), tracks_by_board()
    studied = study_splits(benchmark, competitions, _graded(candidates), _masked(candidates))
    for split in competitions:
        there = [each for each in candidates if touches(each.entry, split)]
        rows = {
            each.entry.pk: dump_row(build_row(each, split, list(competitions), only.get(split)))
            for each in there
        }
        for board, shown in boards:
            lines = [make_line(each, split) for each in there if each.placement.track.slug in shown]
            studied_lines = StudiedLines(lines, studied[split])
            built.append(_Board(board, split, rows, studied_lines, dump_row(studied_lines.of_first)))
    return built


def _graded(candidates: Iterable[Candidate]) -> dict[int, Mapping[str, EntryResult]]:
    """The results of the entries whose runs are here."""
    graded = Entry.Source.GRADED
    return {each.entry.pk: each.results for each in candidates if each.entry.source == graded}


def _masked(candidates: Iterable[Candidate]) -> dict[int, set[str]]:
    """The competitions that do not count, by entry that has some."""
    return {each.entry.pk: {mask.competition for mask in each.masks} for each in candidates if each.masks}


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


def touches(entry: Entry, split: Split) -> bool:
    """Whether the entry attempted any part of the split; a Lite entry is listed, unranked, among all 75."""
    return bool(set(Split(entry.scope).members) & set(split.members))


def make_line(candidate: Candidate, split: Split) -> Line:
    result = candidate.results.get(split.value)
    return Line(
        entry=candidate.entry.pk,
        mean=result.any_medal_mean if result else None,
        is_ranked=candidate.placement.track.is_ranked,
        run_on=candidate.entry.run_on,
    )


def read_candidates(benchmark: Benchmark, now: datetime, scored: Collection[str]) -> list[Candidate]:
    """The published entries with all that is shown of them, in a number of queries that does not grow."""
    placements = _placements(benchmark, now)
    results: dict[int, dict[str, EntryResult]] = defaultdict(dict)
    for result in EntryResult.objects.filter(entry__benchmark=benchmark):
        results[result.entry_id][result.split] = result
    flags: dict[int, list[Flag]] = defaultdict(list)
    for flag in Flag.objects.filter(entry__benchmark=benchmark, state=Flag.State.UPHELD).order_by("pk"):
        flags[flag.entry_id].append(flag)
    scores, masks = _scores(benchmark, scored), masks_by_entry(benchmark, now)
    entries = Entry.objects.filter(benchmark=benchmark).select_related("agent__organisation", "benchmark")
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


def _placements(benchmark: Benchmark, now: datetime) -> dict[int, Placement]:
    """The placement that counts at the moment, by entry; entries that were withdrawn have none."""
    withdrawn = Decision.objects.filter(
        kind=Decision.Kind.WITHDRAW, entry__benchmark=benchmark, effective_at__lte=now
    )
    placements = (
        Placement.objects.filter(entry__benchmark=benchmark, effective_at__lte=now)
        .exclude(entry__in=withdrawn.values("entry"))
        .prefetch_related("track")
        .order_by("effective_at", "pk")
    )
    found = {placement.entry_id: placement for placement in placements}
    # The grounds are shown of these alone; the decisions of all would be most of what is read.
    warned = Decision.objects.filter(entry__benchmark=benchmark, placements__track__is_warned=True)
    grounds = {decision.pk: decision for decision in warned}
    for placement in found.values():
        if placement.track.is_warned:
            placement.decision = grounds[placement.decision_id]
    return found


def _scores(
    benchmark: Benchmark, competitions: Collection[str]
) -> Mapping[int, dict[str, dict[str, float | None]]]:
    """By entry, competition and seed, for the competitions that are a split by themselves."""
    found: dict[int, dict[str, dict[str, float | None]]] = defaultdict(lambda: defaultdict(dict))
    runs = EntryRun.objects.filter(entry__benchmark=benchmark, competition__in=competitions)
    for entry, competition, seed, score in runs.values_list("entry", "competition", "seed", "score"):
        found[entry][competition][seed] = score
    return found
