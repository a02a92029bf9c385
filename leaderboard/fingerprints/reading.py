"""Making the fingerprints of a submission, a few seconds at a time, since bundles wait in the same queue.

The row is the queue's truth: a claim is a conditional update with a lease and a fencing token, as gradings have it.
"""

import logging
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from grading.catalogue import CompetitionSpec, job_for, shipped_competitions
from grading.lease import RING_AGAIN_AFTER, RINGS_AT_ONCE, claim_columns, not_rung_lately, pause_after
from grading.models import Blob
from leaderboard.fingerprints.read import UNREADABLE, Print
from leaderboard.fingerprints.reader import Reader, Walls
from leaderboard.fingerprints.sketch import VERSION
from leaderboard.models import Fingerprint, Likeness
from submissions.models import Run, Submission

log = logging.getLogger(__name__)
State, Status = Likeness.State, Submission.Status
LEASE, ATTEMPTS = timedelta(seconds=180), 4
# So long one submission is read before others have their turn.
SLICE_S = 5.0
# Those whose grading has begun: their scores are on record, and with them what they are like.
ON_RECORD = (Status.GRADING, Status.GRADED, Status.IN_REVIEW)
COPIED_BYTES = 1 << 20


@dataclass(frozen=True)
class ReadClaim:
    """The right to read one submission: valid while the row still carries this token."""

    likeness: Likeness
    token: int

    @property
    def is_spent(self) -> bool:
        """Whether every attempt before this one was lost without a word."""
        return self.likeness.attempts > ATTEMPTS


def make_due(submission: Submission) -> None:
    """Its predictions are to be compared, if they are not already: nothing comes to be reviewed without."""
    Likeness.objects.get_or_create(submission=submission)


def take_in(statuses: Iterable[str]) -> int:
    """Makes some of the submissions of these statuses due that never were. Returns how many."""
    known = Likeness.objects.filter(submission=OuterRef("pk"))
    missing = Submission.objects.filter(~Exists(known), status__in=statuses, confirmed_at__isnull=False)
    rows = [
        Likeness(submission_id=pk)
        for pk in missing.order_by("pk").values_list("pk", flat=True)[:RINGS_AT_ONCE]
    ]
    return len(Likeness.objects.bulk_create(rows, ignore_conflicts=True))


def take_unrung(now: datetime, states: Q) -> list[UUID]:
    """Public ids of some submissions in these states that were not rung lately, marked as rung now."""
    due = Likeness.objects.filter(states).filter(not_rung_lately(now)).order_by("pk")[:RINGS_AT_ONCE]
    found = list(due.values_list("pk", "submission__public_id"))
    Likeness.objects.filter(pk__in=[pk for pk, _ in found]).update(rung_at=now)
    return [public_id for _, public_id in found]


def unread(now: datetime) -> Q:
    """Waiting, or held by a worker whose lease ran out."""
    return Q(state=State.DUE) | Q(state=State.READING, lease_until__lt=now)


def claim_reading(public_id: str, now: datetime) -> ReadClaim | None:
    """The claim, or None where it is read or in other hands."""
    with transaction.atomic():
        mine = Likeness.objects.filter(unread(now), submission__public_id=public_id)
        if not mine.update(state=State.READING, **claim_columns(now, LEASE)):
            return None
        likeness = Likeness.objects.select_related("submission__team").get(submission__public_id=public_id)
    return ReadClaim(likeness, likeness.fencing_token)


def read_some(claim: ReadClaim, now: datetime, seconds: float = SLICE_S) -> bool:
    """Whether all is read now. Otherwise the submission waits for its next turn. Raises OSError (retried)."""
    submission, until = claim.likeness.submission, time.monotonic() + seconds
    waiting = list(unprinted_runs(submission))
    with Reader(_walls()) as reader:
        for run in waiting:
            if run is not waiting[0] and time.monotonic() > until:
                _let_go(claim, State.DUE, attempts=0)
                return False
            _keep(run, submission, _print(run, reader), now)
            if not _held(claim).update(lease_until=now + LEASE + timedelta(seconds=seconds)):
                log.warning("%s was taken over", claim.likeness)
                return False
    return bool(_let_go(claim, State.READ, attempts=0, rung_at=None))


def give_back(claim: ReadClaim, now: datetime) -> None:
    """After a fault of ours: free for the next attempt, or, after the last, failed."""
    attempts = claim.likeness.attempts
    if attempts >= ATTEMPTS:
        _let_go(claim, State.FAILED)
        return
    # As if it had been rung so long ago that it is rung again when the pause is over.
    _let_go(claim, State.DUE, rung_at=now + pause_after(attempts) - RING_AGAIN_AFTER)


def _held(claim: ReadClaim) -> QuerySet[Likeness]:
    return Likeness.objects.filter(pk=claim.likeness.pk, state=State.READING, fencing_token=claim.token)


def _let_go(claim: ReadClaim, state: str, **columns: object) -> int:
    return _held(claim).update(state=state, lease_until=None, **columns)


def ranked_runs(submission: Submission) -> QuerySet[Run]:
    """Its runs without checkpoints, in scope or not: what lies beside the scope may be copied as well."""
    return submission.runs.filter(checkpoint_hours=None).select_related("blob")


def unprinted_runs(submission: Submission) -> QuerySet[Run]:
    known = Fingerprint.objects.filter(
        blob=OuterRef("blob"), competition=OuterRef("competition"), version=VERSION
    )
    return ranked_runs(submission).filter(~Exists(known))


def _print(run: Run, reader: Reader) -> Print:
    spec = shipped_competitions().get(run.competition_id)
    return _read(run.blob, spec, reader) if spec else UNREADABLE


def _read(blob: Blob, spec: CompetitionSpec, reader: Reader) -> Print:
    with _copy_of(blob) as path:
        return reader.read(job_for(spec), path)


@contextmanager
def _copy_of(blob: Blob) -> Iterator[Path]:
    """On disk, as /tmp may be memory; beside the files that intake has on their way."""
    folder = settings.VAR_DIR / "spool"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, prefix="likeness-") as copy:
        with storages["blobs"].open(blob.key) as stored:
            for piece in stored.chunks(COPIED_BYTES):
                copy.write(piece)
        copy.flush()
        yield Path(copy.name)


def _keep(run: Run, submission: Submission, found: Print, now: datetime) -> None:
    """Twice is once: equal files of a team are one blob and have one fingerprint for each competition."""
    Fingerprint.objects.get_or_create(
        blob=run.blob,
        competition_id=run.competition_id,
        version=VERSION,
        defaults={
            "organisation_id": submission.team.organisation_id,
            "state": found.state,
            "rows": found.rows,
            "content": found.content,
            "sketch": found.sketch,
            "made_at": now,
        },
    )


def _walls() -> Walls:
    memory = (settings.GRADING_MEMORY_MB + 512) << 20
    return Walls(settings.GRADING_WALL_S, settings.GRADING_WALL_S, memory)
