"""A board as it stood at a moment of the past: by when things took effect, not by when this site heard of them.

Placements, withdrawals and flags count if they had taken effect; figures restated since are put back. The rows of
entries that were decided on since are built anew from that. All have ranks, but none of the statistics that are
computed with a snapshot.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time

from django.db.models import Max, Q

from grading.models import Benchmark
from grading.splits import Split
from leaderboard.boards import Board, Boards
from leaderboard.collector import paused_collector
from leaderboard.figures_then import results_then
from leaderboard.filters import BadView, Wrong
from leaderboard.integrity.flag_record import ANSWERED, DISMISSES, flag_of
from leaderboard.kept import Shelf
from leaderboard.models import (
    Decision,
    EntryResult,
    Flag,
    PinMove,
    Placement,
    Restatement,
    Snapshot,
    Track,
)
from leaderboard.public import public_entries
from leaderboard.ranking import Line, Placed, rank_lines
from leaderboard.rows import Candidate, build_row, touches
from leaderboard.shown import Row, only_own, show_row
from leaderboard.standings import MANY, list_competitions, read_candidates, tracks_by_board
from leaderboard.unchanged import split_rows

# Reckoned for a snapshot, from all that stands there.
NOT_THEN: Row = dict.fromkeys(("masks", "statistics", "categories"))
# Rows are mostly those of the current boards.
_kept: Shelf["Past"] = Shelf(30_000, lambda past: 1 + len(past.rows))
_shown: Shelf[list[Row]] = Shelf(20_000, lambda rows: 1 + len(rows))


@dataclass(frozen=True)
class Later:
    """What a reader of a past board should know: what was recorded here after its moment, and what changed since."""

    recorded: int
    last_recorded_at: datetime | None
    changed: int


@dataclass(frozen=True)
class Past:
    """The rows of one split at a moment by entry, as they are stored now or would have been, and what came later.

    `built`: the entries of which no stored row is the same; `on`: how many rows each track has; `boards`: the tracks
    each shows; `ranked`: those whose entries are.
    """

    split: Split
    rows: Mapping[int, Row]
    built: Collection[int]
    on: Mapping[str, int]
    boards: Mapping[str, Collection[str]]
    ranked: Collection[str]
    later: Later

    def count(self, track: str) -> int:
        return sum(self.on.get(each, 0) for each in self.boards[track])

    def show(self, track: str, now: Sequence[Row]) -> list[Row]:
        """The rows of a board in its order. `now`: rows as they are shown now, which most still are."""
        lines = [self._line(row) for row in self.rows.values() if row["track"] in self.boards[track]]
        same = {row["entry"]: row for row in now if row["entry"] not in self.built}
        with paused_collector():
            return [
                {**(same.get(each.entry) or self._show(each)), **NOT_THEN, **_place(each)}
                for each in rank_lines(lines)
            ]

    def _show(self, placed: Placed) -> Row:
        return show_row(placed.position, placed.rank, self.rows[placed.entry])

    def _line(self, row: Row) -> Line:
        figures = row["any_medal"][self.split.value]
        return Line(
            row["entry"], figures["mean"] if figures else None, row["track"] in self.ranked, row["run_on"]
        )


def _place(placed: Placed) -> Row:
    return {"position": placed.position, "rank": placed.rank, "rank_shift": None}


def read_as_of(text: str, now: datetime) -> datetime:
    """The moment named: a time, or the end of a day (now, for today). Raises BadView for nonsense and the future."""
    moment = _end_of_day(text, now) or _moment(text)
    if moment is None:
        raise _bad(
            f"{text[:60]!r} is neither a day such as 2026-03-01 nor a time such as 2026-03-01T12:00:00Z."
        )
    if moment > now:
        raise _bad(f"{text} is in the future. The newest board is the one without as_of.")
    return moment


def _bad(message: str) -> BadView:
    return BadView([Wrong("as_of", f"as_of: {message}")])


def _end_of_day(text: str, now: datetime) -> datetime | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return now if day == now.date() else datetime.combine(day, time.max, UTC)


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    try:
        return moment.astimezone(UTC) if moment.tzinfo else None
    except OverflowError:
        return None


def past_board(board: Board, at: datetime) -> tuple[Board, Later]:
    """The board as it stood then, with the counts of then."""
    key = _state(board.boards, board.split, at)
    past = _kept.get_or_make(key, lambda: _build(board.boards, board.split, at))
    tracks = [replace(track, count=past.count(track.slug)) for track in board.tracks]
    track = next(track for track in tracks if track.slug == board.track.slug)
    rows = _shown.get_or_make((key, track.slug), lambda: past.show(track.slug, board.rows))
    if board.is_exact:
        rows = only_own(rows, track.slug)
    return replace(board, track=track, tracks=tracks, rows=rows, past=key), past.later


def _state(boards: Boards, split: Split, at: datetime) -> tuple[object, ...]:
    """What the past of a benchmark on a split depends on.

    Between two decisions nothing changes, so all moments there share what was built for one of them: otherwise every
    microsecond somebody names would cost a board.
    """
    return boards.slug, boards.snapshot, boards.digest, split, *_between(at)


def _between(at: datetime) -> tuple[object, ...]:
    """The same for two moments exactly where no decision took effect, or was recorded, between them."""
    found = Decision.objects.aggregate(
        newest=Max("pk"),
        effective=Max("effective_at", filter=Q(effective_at__lte=at)),
        recorded=Max("recorded_at", filter=Q(recorded_at__lte=at)),
    )
    return tuple(found.values())


def _build(boards: Boards, split: Split, at: datetime) -> Past:
    benchmark = Benchmark.objects.get(slug=boards.slug)
    competitions = list_competitions(benchmark)
    here = competitions[split]
    only = here[0] if len(here) == 1 else None
    # None before the first one.
    snapshot = Snapshot.objects.filter(pk=boards.snapshot or 0).first()
    rows, changed = split_rows(snapshot, split, at)
    anew = _candidates(benchmark, at, {only} if only else (), changed)
    built = {
        each.entry.pk: build_row(each, split, list(competitions), only)
        for each in anew
        if touches(each.entry, split)
    }
    ranked = set(Track.objects.filter(is_ranked=True).values_list("slug", flat=True))
    rows = {**rows, **built}
    on = Counter(row["track"] for row in rows.values())
    return Past(split, rows, built.keys(), on, dict(tracks_by_board()), ranked, _later(benchmark, at))


def _candidates(
    benchmark: Benchmark, at: datetime, scored: Collection[str], changed: set[int] | None
) -> list[Candidate]:
    """As they were then: of the entries that have changed since, of all if it could be any."""
    if changed is not None and not (changed := _placed(benchmark, at, changed)):
        return []
    # More are not read faster one by one than all together.
    few = changed if changed is not None and len(changed) <= MANY else None
    found = read_candidates(benchmark, at, scored, few)
    then = _Then.read(benchmark, at)
    return [then.of(each) for each in found if changed is None or each.entry.pk in changed]


def _placed(benchmark: Benchmark, at: datetime, entries: set[int]) -> set[int]:
    """Those of them that had been placed."""
    if not entries:
        return set()
    placed = Placement.objects.filter(entry__benchmark=benchmark, effective_at__lte=at).order_by()
    return entries.intersection(placed.values_list("entry", flat=True))


def _later(benchmark: Benchmark, at: datetime) -> Later:
    """Decisions on what shows here that were recorded, or took effect, after the moment."""
    # What was decided on an entry that nobody may see yet is not to be counted either.
    shown = public_entries().filter(benchmark=benchmark).order_by().values("pk")
    public = Decision.objects.filter(entry__in=shown)
    decisions = public.filter(recorded_at__gt=at)
    recorded = decisions.filter(effective_at__lte=at).order_by("recorded_at")
    newest = recorded.last()
    changed = public.filter(effective_at__gt=at)
    return Later(recorded.count(), newest.recorded_at if newest else None, changed.count())


@dataclass(frozen=True)
class _Then:
    """What was otherwise at the moment: upheld flags, figures, scores. By entry.

    `results`: of entries that were masked otherwise, in place of what `figures` puts back.
    """

    flags: Mapping[int, list[Flag]]
    figures: Mapping[int, Mapping[tuple[str, str], float | None]]
    scores: Mapping[int, Mapping[tuple[str, str], float | None]]
    results: Mapping[int, Mapping[str, EntryResult]]

    @classmethod
    def read(cls, benchmark: Benchmark, at: datetime) -> "_Then":
        return cls(
            _flags(benchmark, at),
            _figures(benchmark, at),
            _scores(benchmark, at),
            results_then(benchmark, at),
        )

    def of(self, candidate: Candidate) -> Candidate:
        """The candidate as it was. A figure restated since has the value of before the first restatement."""
        pk = candidate.entry.pk
        figures, scores = self.figures.get(pk, {}), self.scores.get(pk, {})
        return replace(
            candidate,
            flags=self.flags.get(pk, []),
            results=self.results[pk]
            if pk in self.results
            else {split: _restored(result, figures) for split, result in candidate.results.items()},
            scores={
                competition: {seed: scores.get((competition, seed), now) for seed, now in seeds.items()}
                for competition, seeds in candidate.scores.items()
            },
        )


def _restored(result: EntryResult, figures: Mapping[tuple[str, str], float | None]) -> EntryResult:
    before = {figure: value for (split, figure), value in figures.items() if split == result.split}
    for figure, value in before.items():
        setattr(result, figure, value)
    return result


def _flags(benchmark: Benchmark, at: datetime) -> Mapping[int, list[Flag]]:
    """The flags that stood upheld: the newest decision on them had taken effect and was not superseded yet."""
    about = Q(kind=Decision.Kind.FLAG) | Q(details__has_any_keys=ANSWERED)
    answers = Decision.objects.filter(about, entry__benchmark=benchmark, effective_at__lte=at)
    # One by which a maintainer raised a flag names none: it came first.
    newest = {
        flag_of(decision) or -decision.pk: decision
        for decision in answers.exclude(superseded_by__effective_at__lte=at).order_by("pk")
    }
    found: dict[int, list[Flag]] = defaultdict(list)
    for decision in newest.values():
        if DISMISSES in decision.details:
            continue
        found[decision.entry_id].append(
            Flag(
                reason=decision.reason,
                evidence_url=decision.evidence_url,
                evidence_is_private=decision.evidence_is_private,
                is_self_reported=decision.is_self_reported,
                decision=decision,
            )
        )
    return found


def _figures(benchmark: Benchmark, at: datetime) -> Mapping[int, Mapping[tuple[str, str], float | None]]:
    """By entry, split and figure the value before the first restatement since."""
    since = Restatement.objects.filter(decision__entry__benchmark=benchmark, decision__effective_at__gt=at)
    found: dict[int, dict[tuple[str, str], float | None]] = defaultdict(dict)
    values = since.order_by("decision__effective_at", "pk").values_list(
        "decision__entry", "split", "figure", "before"
    )
    for entry, split, figure, before in values:
        found[entry].setdefault((split, figure), before)
    return found


def _scores(benchmark: Benchmark, at: datetime) -> Mapping[int, Mapping[tuple[str, str], float | None]]:
    """By entry, competition and seed the score before the first move of its pin since."""
    since = PinMove.objects.filter(decision__entry__benchmark=benchmark, decision__effective_at__gt=at)
    found: dict[int, dict[tuple[str, str], float | None]] = defaultdict(dict)
    values = since.order_by("decision__effective_at", "pk").values_list(
        "run__entry", "run__competition", "run__seed", "score_before"
    )
    for entry, competition, seed, before in values:
        found[entry].setdefault((competition, seed), before)
    return found
