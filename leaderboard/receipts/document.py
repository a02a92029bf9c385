"""What a receipt says of one run. Never a digest of a team's CSV, nor a plain one of answers."""

from datetime import UTC, datetime
from typing import Any

from django.conf import settings

from leaderboard.models import EntryRun

FORMAT = "mle-bench-leaderboard/receipt/1"


def receipt_of(run: EntryRun, key: str, now: datetime) -> dict[str, Any]:
    """The document to sign; its run must have its grading, answers, thresholds, entry and bundle loaded."""
    grading, entry = run.grading, run.entry
    assert grading is not None, "a run that was not handed in has no receipt"
    bundle = getattr(entry.submission, "bundle", None)
    answers = grading.answers
    return {
        "format": FORMAT,
        "site": settings.SITE_URL,
        "key": key,
        "issued_at": _moment(now),
        "entry": entry.pk,
        "benchmark": entry.benchmark.slug,
        "competition": run.competition_id,
        "seed": run.seed,
        "bundle_sha256": bundle.sha256 if bundle else None,
        "grader_version": grading.graded_with,
        "answers_version": answers.number if answers else None,
        "answers_hmac": answers.hmac if answers else None,
        "thresholds_version": run.thresholds.number if run.thresholds else None,
        "outcome": run.outcome,
        "score": run.score,
        "medal": run.medal,
        "graded_at": _moment(grading.graded_at),
    }


def _moment(at: datetime | None) -> str | None:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if at else None
