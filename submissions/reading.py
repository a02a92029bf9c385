"""What pages and API read of a submission."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from submissions.cards import latest_card
from submissions.models import RunCardRevision, Submission
from submissions.run_card import undisclosed

ATTESTATION = "attestation"


def with_people(found: QuerySet[Submission]) -> QuerySet[Submission]:
    """With the rows that every page and answer about a submission names."""
    return found.select_related("team__organisation", "benchmark", "supersedes", "upload", "entry")


def shown_card(submission: Submission) -> RunCardRevision | None:
    """The confirmed revision, which alone counts once there is one; else the newest."""
    return submission.confirmed_revision or latest_card(submission)


def open_questions(document: Mapping[str, Any]) -> list[str]:
    """Questions of the Clean track that the team still has to answer; the attestation comes with confirming."""
    return [name for name in undisclosed(document) if not name.startswith(ATTESTATION)]
