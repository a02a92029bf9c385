"""Findings of logs and code, raised when the review opens."""

from datetime import datetime

from django.conf import settings

from leaderboard.evidence.patterns import load_patterns
from leaderboard.evidence.signals import find_in_logs
from leaderboard.evidence.stage import facts_of
from leaderboard.models import Finding
from submissions.models import Submission


def raise_log_findings(submission: Submission, now: datetime) -> None:
    """Writes one finding per thing found. For a submission that has none of these yet."""
    facts = facts_of(submission)
    if facts is None:
        return
    Finding.objects.bulk_create(
        Finding(
            submission=submission,
            code=found.signal.code,
            title=found.signal.title,
            severity=found.severity.value,
            sentence=found.sentence,
            evidence=found.evidence,
            raised_at=now,
        )
        for found in find_in_logs(facts, load_patterns(settings.EVIDENCE_PATTERNS))
    )
