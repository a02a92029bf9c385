"""What is kept of an appeal, so that one edited afterwards shows: by the submission's events, then by its answer."""

from collections.abc import Iterator
from datetime import UTC
from typing import Any

from leaderboard.integrity.chain import Break, hash_record
from leaderboard.models import Appeal, Decision
from submissions.models import Event

AGAINST, DIGEST = "appeal_against", "appeal_sha256"
FILED = "appealed"


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


def remembering(appeal: Appeal) -> dict[str, Any]:
    """What the event of filing it keeps."""
    return {"decision": appeal.decision_id, DIGEST: digest_appeal(appeal)}


def find_altered_appeals() -> Iterator[Break]:
    """Appeals that are gone, or are not the ones that were filed and answered."""
    filed = {appeal.decision_id: appeal for appeal in Appeal.objects.all()}
    events = Event.objects.filter(kind=FILED).order_by("pk").values_list("detail", flat=True)
    for detail in events:
        found = filed.get(detail["decision"])
        if found is None or digest_appeal(found) != detail[DIGEST]:
            yield Break(detail["decision"], "was appealed in other words than the appeal has now")
    for appeal in Appeal.objects.exclude(answer=None).select_related("answer").order_by("pk"):
        assert appeal.answer is not None
        if appeal.answer.details.get(DIGEST) != digest_appeal(appeal):
            yield Break(appeal.answer.pk, "answered an appeal that says something else now")
    answers = Decision.objects.filter(kind__in=("grant", "deny"), details__has_key=AGAINST)
    for number in answers.filter(answers_appeal=None).values_list("pk", flat=True):
        yield Break(number, "answered an appeal that is gone, or says that nobody answered it")
