"""One reading of a submission's logs and code, from the confirmation to its recorded facts.

As validity checks have it: the row is the queue's truth, a claim is a conditional update with a lease and a fencing
token. The review waits until a reading is done or given up; a reading given up holds nothing up and clears nobody.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.functional import cached_property

from grading.lease import (
    RINGS_AT_ONCE,
    claim_columns,
    mend_leases,
    mend_pauses,
    not_rung_lately,
    pause_after,
    released_columns,
)
from leaderboard.evidence.facts import EvidenceFacts, from_json, to_json
from leaderboard.evidence.scan import Line
from leaderboard.models import EvidenceMatch, EvidenceReading
from submissions.models import EvidenceFile, Submission

log = logging.getLogger(__name__)
State = EvidenceReading.State
Status = Submission.Status
# Once confirmed, and while the review is not open: later nothing would come of it.
READABLE = (Status.QUEUED, Status.GRADING, Status.GRADED)


@dataclass(frozen=True)
class ReadingClaim:
    """The right to read: valid while the row still carries this token."""

    reading: EvidenceReading
    token: int

    @property
    def is_spent(self) -> bool:
        """Whether every attempt before this one was lost without a word: a file that kills its workers."""
        return self.reading.attempts > settings.EVIDENCE_ATTEMPTS

    @cached_property
    def submission(self) -> Submission:
        return self.reading.submission


def request_reading(submission: Submission, now: datetime) -> None:
    """A row that waits, where the bundle holds logs or code and they may be read. Asking twice is the same as once."""
    if Submission.objects.filter(_readable(), pk=submission.pk).exists() and has_evidence(submission):
        _create([submission.pk], now)


def _readable(prefix: str = "") -> Q:
    """Which submissions may be read. As for grading, a maintainer must have verified the organisation: anybody can
    make any number of them, and what reads costs time, and with an llm money.
    """
    verified = {f"{prefix}team__organisation__verified_at__isnull": False}
    return Q(**{f"{prefix}status__in": READABLE}) & Q(**verified)


def has_evidence(submission: Submission) -> bool:
    return EvidenceFile.objects.filter(bundle__submission=submission).exists()


def _create(submissions: Sequence[int], now: datetime) -> None:
    EvidenceReading.objects.bulk_create(
        [EvidenceReading(submission_id=pk, not_before=now, created_at=now) for pk in submissions],
        ignore_conflicts=True,
    )


def claim_reading(public_id: str, now: datetime) -> ReadingClaim | None:
    """The claim, or None where there is nothing to read, or somebody else holds or has finished it."""
    found = EvidenceReading.objects.filter(submission__public_id=public_id)
    with transaction.atomic():
        claimed = (
            found.claimable(now)
            .filter(_readable("submission__"))
            .update(state=State.RUNNING, **claim_columns(now, settings.EVIDENCE_LEASE))
        )
        if not claimed:
            return None
        people = "submission__team__organisation"
        reading = found.select_related(
            people, "submission__benchmark", "submission__confirmed_revision"
        ).get()
    return ReadingClaim(reading, reading.fencing_token)


def _held(claim: ReadingClaim) -> QuerySet[EvidenceReading]:
    return EvidenceReading.objects.filter(pk=claim.reading.pk, state=State.RUNNING, fencing_token=claim.token)


def extend_reading(claim: ReadingClaim, now: datetime) -> bool:
    """Whether the claim still stands; if so it is good for another lease."""
    return bool(_held(claim).update(lease_until=now + settings.EVIDENCE_LEASE))


def record_facts(claim: ReadingClaim, facts: EvidenceFacts, lines: Sequence[Line]) -> None:
    """Writes what was found, all at once; nothing where the claim was lost."""
    with transaction.atomic():
        if not _held(claim).update(facts=to_json(facts)):
            log.warning("%s was taken over; this reading is dropped", claim.reading)
            return
        EvidenceMatch.objects.bulk_create([_match(claim.reading, line) for line in lines], batch_size=500)


def finish_reading(claim: ReadingClaim, now: datetime) -> None:
    """The review has nothing to wait for any more."""
    _held(claim).update(state=State.DONE, lease_until=None, read_at=now)


def _match(reading: EvidenceReading, line: Line) -> EvidenceMatch:
    return EvidenceMatch(
        reading=reading,
        code=line.code,
        subject=line.subject,
        path=line.path[:500],
        place=line.place[:250],
        kind=line.kind,
        line=line.number,
        text=line.text,
        before=line.before,
        after=line.after,
    )


def give_back(claim: ReadingClaim, now: datetime) -> None:
    """Queues the reading again after a fault of ours; after the last attempt it is given up, and the case says so."""
    if claim.reading.attempts >= settings.EVIDENCE_ATTEMPTS:
        give_up(claim, now)
        return
    later = now + pause_after(claim.reading.attempts)
    _held(claim).update(state=State.QUEUED, lease_until=None, not_before=later, rung_at=None)


def release(claim: ReadingClaim, now: datetime) -> None:
    """Queues the reading again since its worker ends; others may take it at once."""
    _held(claim).update(state=State.QUEUED, not_before=now, rung_at=None, **released_columns(now))


def mend_times(now: datetime) -> None:
    """Nothing waits for a moment that a clock put back has moved out of reach."""
    mend_leases(EvidenceReading.objects.filter(state=State.RUNNING), now, settings.EVIDENCE_LEASE)
    mend_pauses(EvidenceReading.objects.filter(state=State.QUEUED), now)


def give_up(claim: ReadingClaim, now: datetime) -> None:
    """Where the facts are there, only what else reads the files was lost, which says so itself."""
    state = State.DONE if claim.reading.facts else State.FAILED
    _held(claim).update(state=state, lease_until=None, read_at=now)


def is_awaited(submission: Submission) -> bool:
    """Whether the review has to wait: there is something to read, and it is neither read nor given up."""
    reading = EvidenceReading.objects.filter(submission=submission).first()
    return has_evidence(submission) if reading is None else not reading.is_over


def not_awaited(found: QuerySet[Submission]) -> QuerySet[Submission]:
    """Those of the submissions whose review has nothing to wait for."""
    over = EvidenceReading.objects.filter(submission=OuterRef("pk")).exclude(
        state__in=(State.QUEUED, State.RUNNING)
    )
    return found.filter(~Exists(_files()) | Exists(over))


def _files() -> QuerySet[EvidenceFile]:
    return EvidenceFile.objects.filter(bundle__submission=OuterRef("pk"))


def take_unrung(now: datetime) -> list[str]:
    """Ids of some submissions whose reading is due, held by nobody and not rung lately, marked as rung now.

    Rows that are missing are made first: the ring after the confirmation may have been lost.
    """
    forgotten = Submission.objects.filter(Exists(_files()), _readable(), evidence_reading=None)
    _create(list(forgotten.values_list("pk", flat=True)[:RINGS_AT_ONCE]), now)
    due = EvidenceReading.objects.claimable(now).filter(not_rung_lately(now), _readable("submission__"))
    chosen = list(due.order_by("not_before", "pk").values_list("pk", "submission__public_id")[:RINGS_AT_ONCE])
    EvidenceReading.objects.filter(pk__in=[pk for pk, _ in chosen]).update(rung_at=now)
    return [str(public_id) for _, public_id in chosen]


def facts_of(submission: Submission) -> EvidenceFacts | None:
    """What the reading came to; None where there was none."""
    reading = EvidenceReading.objects.filter(submission=submission).first()
    if reading is None or not reading.is_over:
        return None
    return from_json(reading.facts, is_given_up=reading.state == State.FAILED)
