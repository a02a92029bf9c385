"""What the decision that answers an appeal keeps of it, so that an appeal edited afterwards shows."""

from collections.abc import Iterator
from datetime import UTC
from typing import Any

from leaderboard.integrity.chain import Break, hash_record
from leaderboard.models import Appeal, Decision

AGAINST, DIGEST = "appeal_against", "appeal_sha256"


def details_of(appeal: Appeal) -> dict[str, Any]:
    """The public details of the answer: the decision that was appealed, and a digest of what the team said."""
    return {AGAINST: appeal.decision_id, DIGEST: digest_appeal(appeal)}


def digest_appeal(appeal: Appeal) -> str:
    """SHA-256 over the appeal as it was filed."""
    said = {
        "decision": appeal.decision_id,
        "filed_by": appeal.filed_by_id,
        "reason": appeal.reason,
        "evidence_url": appeal.evidence_url,
        "evidence_is_private": appeal.evidence_is_private,
        "filed_at": appeal.filed_at.astimezone(UTC).isoformat(),
    }
    return hash_record(said, "")


def find_altered_appeals() -> Iterator[Break]:
    """Answers whose appeal is gone, or is not the one they answered."""
    for appeal in Appeal.objects.exclude(answer=None).select_related("answer").order_by("pk"):
        assert appeal.answer is not None
        if appeal.answer.details.get(DIGEST) != digest_appeal(appeal):
            yield Break(appeal.answer.pk, "answered an appeal that says something else now")
    answers = Decision.objects.filter(kind__in=("grant", "deny"), details__has_key=AGAINST)
    for number in answers.filter(answers_appeal=None).values_list("pk", flat=True):
        yield Break(number, "answered an appeal that is gone, or says that nobody answered it")
