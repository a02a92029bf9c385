"""A team takes a submission back. What was graded stays on record."""

from datetime import datetime

from submissions.models import Submission, User
from submissions.states import NEXT, move
from submissions.uploads import delete_bytes

Status = Submission.Status


def can_withdraw(submission: Submission) -> bool:
    """Not while a worker has it in hand, and a published one only by a maintainer's decision."""
    return submission.status != Status.PUBLISHED and Status.WITHDRAWN in NEXT.get(submission.status, ())


def withdraw(submission: Submission, user: User, now: datetime) -> None:
    """Raises StatusConflict where it cannot be taken back now."""
    was_uploading = submission.status == Status.UPLOADING
    move(submission, Status.WITHDRAWN, at=now, actor=user)
    if was_uploading:
        delete_bytes(submission.upload, now)
