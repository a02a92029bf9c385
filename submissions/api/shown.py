"""From rows to the objects that the serializers print."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from django.urls import reverse

from submissions.models import RunCardRevision, Submission, Upload, UploadPart
from submissions.part_store import PartTarget
from submissions.progress import count_runs, run_lines
from submissions.run_card import undisclosed
from submissions.uploads import is_direct, part_target


def show_submission(submission: Submission) -> dict[str, Any]:
    """The columns of a submission as SubmissionOut names them."""
    entry = getattr(submission, "entry", None)
    return {
        "public_id": submission.public_id,
        "page_url": reverse("submission", args=[submission.public_id]),
        "status": submission.status,
        "is_final": submission.is_final,
        "team": submission.team,
        "benchmark": submission.benchmark,
        "scope": submission.scope,
        "created_at": submission.created_at,
        "confirmed_at": submission.confirmed_at,
        "supersedes": submission.supersedes,
        "what_changed": submission.what_changed,
        "is_held": submission.held_at is not None,
        "has_question": submission.question_open_at is not None,
        "entry_slug": entry.slug if entry and submission.status == Submission.Status.PUBLISHED else None,
    }


# What a line of a list says of a submission, and of what it refers to.
LINE = (
    "public_id", "status", "scope", "created_at", "confirmed_at", "what_changed", "held_at", "question_open_at",
    "team__public_id", "team__name", "team__organisation__name", "team__organisation__verified_at",
    "benchmark__slug", "supersedes__public_id", "entry__slug",
)  # fmt: skip

LINE_RELATED = ("team__organisation", "benchmark", "supersedes", "entry")


def print_line(submission: Submission) -> dict[str, Any]:
    """A line of a list, as SubmissionOut prints it: the framework takes ten times as long."""
    shown, earlier, team = show_submission(submission), submission.supersedes, submission.team
    return {
        "id": str(submission.public_id),
        "page": shown["page_url"],
        "status": submission.status,
        "is_final": submission.is_final,
        "team": {
            "id": str(team.public_id),
            "name": team.name,
            "organisation": team.organisation.name,
            "verified": team.organisation.is_verified,
        },
        "benchmark": submission.benchmark.slug,
        "scope": submission.scope,
        "created_at": print_moment(submission.created_at),
        "confirmed_at": print_moment(submission.confirmed_at),
        "supersedes": str(earlier.public_id) if earlier else None,
        "what_changed": submission.what_changed,
        "held": shown["is_held"],
        "question_open": shown["has_question"],
        "entry": shown["entry_slug"],
    }


def print_moment(moment: datetime | None) -> str | None:
    """In the one format of all answers (`DATETIME_FORMAT`)."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}" if moment else None


def show_detail(submission: Submission) -> dict[str, Any]:
    """With runs, counts and problems, as SubmissionDetailOut names them."""
    lines = run_lines(submission)
    return {
        **show_submission(submission),
        "problems": submission.problems,
        "counts": asdict(count_runs(submission, lines)),
        "runs": [asdict(line) for line in lines],
    }


def show_upload(upload: Upload) -> dict[str, Any]:
    """The upload with every part, received or still to come."""
    stored = {part.number: part for part in upload.parts.all()}
    return {
        "filename": upload.filename,
        "size": upload.size,
        "part_size": upload.part_size,
        "received_bytes": sum(part.size for part in stored.values()),
        "expires_at": upload.expires_at,
        "completed_at": upload.completed_at,
        "addresses": reverse("api:upload-parts", args=[upload.submission.public_id]) if is_direct() else None,
        "parts": [
            _show_part(upload, number, stored.get(number)) for number in range(1, upload.part_count + 1)
        ],
    }


def _show_part(upload: Upload, number: int, stored: UploadPart | None) -> dict[str, Any]:
    target = part_target(upload, number)
    return {
        "number": number,
        "size": upload.size_of(number),
        "url": target.url if target else None,
        "method": target.method if target else "PUT",
        "headers": dict(target.headers) if target else {},
        "received": stored is not None,
        "sha256": stored.sha256 if stored else None,
    }


def show_address(number: int, target: PartTarget) -> dict[str, Any]:
    """Where to send an announced part, as PartAddressOut names it."""
    return {"number": number, "url": target.url, "method": target.method, "headers": dict(target.headers)}


def show_card(card: RunCardRevision | None) -> dict[str, Any]:
    """The revision as CardOut names it; number 0 where there is none."""
    if card is None:
        return {
            "number": 0,
            "document": {},
            "digest": "",
            "difference": [],
            "undisclosed": undisclosed({}),
            "created_at": None,
        }
    return {
        "number": card.number,
        "document": card.document,
        "digest": card.digest,
        "difference": card.difference,
        "undisclosed": undisclosed(card.document),
        "created_at": card.created_at,
    }
