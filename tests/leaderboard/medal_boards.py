"""Boards of made-up entries whose medals are written as digits: seeds with a medal, competition by competition."""

from collections.abc import Mapping
from typing import Any

from grading.grade import GRADER_VERSION
from grading.models import Benchmark, Blob, Competition, Grading
from leaderboard.integrity.decide import publish
from leaderboard.models import Entry, Track
from leaderboard.review import open_review
from leaderboard.standings import rebuild_standings
from submissions.models import Run, Submission
from tests.factories import NOW, Status, make_benchmark, make_maintainer, make_submission
from tests.leaderboard.boards import GROUNDS
from tests.leaderboard.standings import standing_of
from tests.submissions.run_cards import complete

COMPETITIONS = 12
# Wins cut-offs of 0.9 and nothing.
MEDAL, NO_MEDAL = 0.95, 0.1


def make_wide_benchmark(slug: str = "wide", **columns: Any) -> Benchmark:
    """Twelve competitions, the first eight low and the others medium; c00 has a known leak, c01 another issue."""
    splits = {f"c{at:02}": "low" if at < 8 else "medium" for at in range(COMPETITIONS)}
    benchmark = make_benchmark(slug, splits, **columns)
    for competition, kind in (("c00", "leak"), ("c01", "thresholds")):
        Competition.objects.filter(pk=competition).update(
            known_issues=[{"kind": kind, "summary": "Made up.", "source": "https://example.org"}]
        )
    return benchmark


def scores_of(medals: str, seeds: int = 3) -> dict[tuple[str, str], float]:
    """By seed and competition. "320": a medal in three seeds of the first competition, two of the second, then none."""
    return {
        (f"s{seed}", f"c{at:02}"): MEDAL if seed < int(count) else NO_MEDAL
        for at, count in enumerate(medals)
        for seed in range(seeds)
    }


def make_wide(
    benchmark: Benchmark,
    medals: str,
    seeds: int = 3,
    track: str = "clean",
    scope: str = "all",
    **columns: Any,
) -> Entry:
    """A published entry with those medals, in few queries."""
    columns.setdefault("document", complete())
    submission = make_submission(status=Status.GRADED, scope=scope, benchmark=benchmark, **columns)
    _add_runs(submission, scores_of(medals, seeds))
    open_review(submission, NOW)
    entry = Entry.objects.get(submission=submission)
    publish(entry, Track.objects.get(slug=track), GROUNDS, make_maintainer(), NOW)
    return Entry.objects.get(pk=entry.pk)


def _add_runs(submission: Submission, scores: Mapping[tuple[str, str], float]) -> None:
    blobs = Blob.objects.bulk_create(
        Blob(
            realm=submission.team.realm,
            sha256=f"{submission.pk:032x}{at:032x}",
            size=1,
            key=f"{submission.pk}/{at}",
        )
        for at, _ in enumerate(scores)
    )
    gradings = Grading.objects.bulk_create(
        Grading(
            blob=blob, competition_id=competition, grader_version=GRADER_VERSION, state=Grading.State.DONE,
            not_before=NOW, graded_at=NOW, outcome=Grading.Outcome.SCORED, score=score,
        )
        for blob, ((_, competition), score) in zip(blobs, scores.items(), strict=True)
    )  # fmt: skip
    Run.objects.bulk_create(
        Run(
            submission=submission,
            folder=seed,
            seed=seed,
            competition_id=competition,
            blob=grading.blob,
            grading=grading,
        )
        for grading, (seed, competition) in zip(gradings, scores, strict=True)
    )


def row_of(entry: Entry, track: str = "clean", split: str = "all") -> dict[str, Any]:
    """What its current standing keeps."""
    rebuild_standings(entry.benchmark, NOW)
    row: dict[str, Any] = standing_of(entry, track, split).row
    return row
