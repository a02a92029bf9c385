"""A board to look at: two ranked entries that share their figures' rounding, one warned, one without figures."""

from datetime import date
from typing import Any

from grading.models import Benchmark
from leaderboard.integrity.decide import Grounds, publish
from leaderboard.integrity.ledger import Verdict, record_decision
from leaderboard.models import Decision, Entry, Track
from leaderboard.review import open_review
from leaderboard.standings import rebuild_standings
from tests.factories import NOW, make_benchmark, make_entry, make_graded_submission, make_maintainer

GROUNDS = Grounds("It was seen in the logs.", "Tracks and rules, Additional", "https://example.org/evidence")
SPLITS = {"comp-low": "low", "comp-medium": "medium", "comp-high": "high"}


def make_board_benchmark(slug: str = "bench", **columns: Any) -> Benchmark:
    return make_benchmark(slug, SPLITS, **columns)


def place(entry: Entry, track: str, reason: str = GROUNDS.reason) -> Decision:
    """An import decision that puts the entry on the track, and the standings that show it."""
    grounds = Grounds(reason, GROUNDS.rule, GROUNDS.evidence_url)
    on = Track.objects.get(slug=track)
    decision = record_decision(Verdict(Decision.Kind.IMPORT, entry, grounds, None, NOW, on), NOW)
    rebuild_standings(entry.benchmark, NOW)
    return decision


def make_placed(benchmark: Benchmark, track: str, mean: float, **columns: Any) -> Entry:
    """An imported entry on a track with the same mean on every split."""
    figures = dict.fromkeys(("low", "medium", "high", "all"), (mean, 1.25))
    entry = make_entry(benchmark, figures, run_on=columns.pop("run_on", date(2026, 3, 1)), **columns)
    place(entry, track)
    return entry


def make_published(
    benchmark: Benchmark, scores: Any, track: str = "clean", scope: str = "low", **columns: Any
) -> Entry:
    """A graded entry, published by a maintainer of no team."""
    entry = make_reviewed(benchmark, scores, scope, **columns)
    publish(entry, Track.objects.get(slug=track), GROUNDS, make_maintainer(), NOW)
    return Entry.objects.get(pk=entry.pk)


def make_reviewed(benchmark: Benchmark, scores: Any, scope: str = "low", **columns: Any) -> Entry:
    """A graded entry that waits for a decision."""
    submission = make_graded_submission(scores, scope, benchmark=benchmark, **columns)
    open_review(submission, NOW)
    return Entry.objects.get(submission=submission)
