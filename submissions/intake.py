"""Reading a received bundle once: its runs, its evidence and its run card, or every reason why not."""

import logging
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files.storage import storages
from django.db import DataError, IntegrityError, transaction
from django.db.models import Q, QuerySet

from grading.bucket.stream import waited_s
from grading.fault_points import fault_point
from grading.lease import PAUSES, claim_columns, mend_leases, pause_after, released_columns
from grading.models import Blob, Competition
from submissions.bundle import Budget, BundleError, Kind, Layout, Manifest, Member, read_bundle
from submissions.cards import CardConflict, add_revision
from submissions.claimed_report import load_report
from submissions.models import Bundle, EvidenceFile, Run, Submission
from submissions.orphans import spool_prefix
from submissions.outlook import Outlook, look_through, record_outlook
from submissions.run_card import RunCardError, parse_run_card
from submissions.spool import Spool
from submissions.states import StatusConflict, move, record_event
from submissions.uploads import open_bundle

log = logging.getLogger(__name__)
Status = Submission.Status
INTAKE_FAULT = (
    "A fault on our side kept us from reading this bundle. Please upload it again, or ask a maintainer."
)
UNSTORABLE = (
    "The bundle was read, but something in it cannot be recorded. Check the run card, the names of the folders "
    "and the mapping of run groups to seeds; if all looks right, ask a maintainer."
)
INTAKE_CLAIMED = fault_point("intake_claimed")
BUNDLE_READ = fault_point("bundle_read")
BLOB_STORED = fault_point("blob_stored")
FILES_STORED = fault_point("files_stored")
RUNS_WRITTEN = fault_point("runs_written")
BUNDLE_RECORDED = fault_point("bundle_recorded")
EVIDENCE = frozenset({Kind.LOG, Kind.CODE})
AT_ONCE = 500  # Rows in a query.


@dataclass(frozen=True)
class CheckClaim:
    """The right to check one bundle: valid while the row still carries this token."""

    submission: Submission
    token: int

    @property
    def is_spent(self) -> bool:
        """Whether every attempt before this one was lost without a word: a bundle that kills its workers."""
        return self.submission.attempts > settings.INTAKE_ATTEMPTS


@dataclass(frozen=True)
class Read:
    """What the archive held, its run card, and what header and rows say of its CSVs."""

    manifest: Manifest
    document: dict[str, Any]
    outlook: Outlook


class CheckLost(Exception):
    """Another worker took over; this one's work is dropped."""


class BundleRejected(Exception):
    """The bundle cannot be taken. `problems`: objects with code, where, message; all that could be found."""

    def __init__(self, problems: list[dict[str, str]]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


def claim_check(submission: Submission, now: datetime) -> CheckClaim | None:
    """The claim, or None where the bundle is checked or in other hands."""
    with transaction.atomic():
        claimed = Submission.objects.filter(_unchecked(now), pk=submission.pk).update(
            status=Status.CHECKING,
            **claim_columns(now, settings.INTAKE_LEASE),
        )
        if not claimed:
            return None
        before = submission.status
        submission.refresh_from_db()
        if before != Status.CHECKING:
            record_event(submission, "status", at=now, before=before, after=Status.CHECKING)
    return CheckClaim(submission, submission.fencing_token)


def find_unchecked(now: datetime) -> list[UUID]:
    """Public ids of submissions whose bundle is due and read by nobody: never rung, or lost by a killed worker."""
    return list(Submission.objects.filter(_unchecked(now)).values_list("public_id", flat=True))


def _unchecked(now: datetime) -> Q:
    return Q(status=Status.RECEIVED) | Q(status=Status.CHECKING, lease_until__lt=now)


def mend_times(now: datetime) -> None:
    """Nothing waits for a moment that a clock put back has moved out of reach."""
    mend_leases(Submission.objects.filter(status=Status.CHECKING), now, _longest_lease())


def _longest_lease() -> timedelta:
    """A check that failed for a fault of ours rests for as long as that."""
    return max(settings.INTAKE_LEASE, PAUSES[-1])


def extend_check(claim: CheckClaim, now: datetime) -> bool:
    """Whether the claim still stands; if so it is good for another lease."""
    return bool(_held(claim).update(lease_until=now + settings.INTAKE_LEASE))


def _held(claim: CheckClaim) -> QuerySet[Submission]:
    return Submission.objects.filter(
        pk=claim.submission.pk, status=Status.CHECKING, fencing_token=claim.token
    )


def check_bundle(claim: CheckClaim, now: datetime) -> None:
    """Reads the bundle and records what it holds, or why it is rejected. Raises CheckLost, OSError (retried)."""
    submission = claim.submission
    INTAKE_CLAIMED.reach()
    try:
        with Spool(settings.VAR_DIR / "spool", spool_prefix(submission, claim.token)) as spool:
            manifest = _read(submission, spool)
            BUNDLE_READ.reach()
            document = _parse_card(manifest)
            outlook = look_through(manifest, spool)
            _store_files(submission, manifest, spool)
            FILES_STORED.reach()
            _record_or_refuse(claim, Read(manifest, document, outlook), now)
            BUNDLE_RECORDED.reach()
    except BundleRejected as rejected:
        _reject(claim, rejected.problems, now)


def _record_or_refuse(claim: CheckClaim, read: Read, now: datetime) -> None:
    """All the rows, or BundleRejected where the database will not hold them: reading again would end the same."""
    try:
        with transaction.atomic():
            _record(claim, read, now)
    except (IntegrityError, DataError, CardConflict) as error:
        log.exception("the database refused the bundle of %s", claim.submission.public_id)
        raise BundleRejected([_problem("unstorable", "archive", UNSTORABLE)]) from error


def _read(submission: Submission, spool: Spool) -> Manifest:
    upload = submission.upload
    competitions = Competition.objects.filter(benchmarks=submission.benchmark).values_list("pk", flat=True)
    try:
        with open_bundle(upload) as source:
            return read_bundle(
                source,
                layout=Layout(frozenset(competitions)),
                budget=Budget(clock=lambda: time.monotonic() - waited_s(source)),
                keep=spool.keep,
            )
    except BundleError as error:
        raise BundleRejected(_everything_wrong(error)) from error


def _everything_wrong(error: BundleError) -> list[dict[str, str]]:
    """The archive's problems and, where it could be read to its end, the run card's too."""
    found = [_problem(p.code.value, p.member or "archive", p.message) for p in error.problems]
    if error.stopped:
        found.append(_problem("stopped", "archive", "Reading stopped here; there may be more to mend."))
    try:
        if error.manifest:
            _parse_card(error.manifest)
    except BundleRejected as rejected:
        found += rejected.problems
    return found


def _problem(code: str, where: str, message: str) -> dict[str, str]:
    return {"code": code, "where": where, "message": message}


def _parse_card(manifest: Manifest) -> dict[str, Any]:
    """The document, empty where the bundle has none: it can be filled in on the site."""
    if manifest.run_card is None:
        return {}
    name = manifest.run_card_name or "run_card.yaml"
    try:
        return parse_run_card(manifest.run_card, name)
    except RunCardError as error:
        where = [
            f"{name}, line {p.line}: {p.path}" if p.line else f"{name}: {p.path}" for p in error.problems
        ]
        found = [_problem(p.code, at, p.message) for p, at in zip(error.problems, where, strict=True)]
        raise BundleRejected(found) from error


def _store_files(submission: Submission, manifest: Manifest, spool: Spool) -> None:
    """Before the rows, so that no row names a file that is not there. Keys name digests: twice is once."""
    known = _blobs_of(submission, manifest)
    for member in manifest.members:
        store = storages["evidence" if member.kind in EVIDENCE else "blobs"]
        if member.kind in EVIDENCE or member.sha256 not in known:
            spool.store(member.path, store, _key(submission, member))
            BLOB_STORED.reach()


def _blobs_of(submission: Submission, manifest: Manifest) -> dict[str, Blob]:
    """Those the team has of these files, by digest. A query for many of them."""
    digests = sorted({member.sha256 for member in manifest.members if member.kind not in EVIDENCE})
    of_team = Blob.objects.filter(realm=submission.team.realm)
    return {
        blob.sha256: blob
        for start in range(0, len(digests), AT_ONCE)
        for blob in of_team.filter(sha256__in=digests[start : start + AT_ONCE])
    }


def _key(submission: Submission, member: Member) -> str:
    kind = "evidence" if member.kind in EVIDENCE else "csv"
    return f"{kind}/{submission.public_id}/{member.sha256}"


def _record(claim: CheckClaim, read: Read, now: datetime) -> None:
    submission, manifest = claim.submission, read.manifest
    _still_ours(claim)
    bundle = Bundle.objects.create(
        submission=submission,
        sha256=manifest.sha256,
        size=manifest.size,
        format=str(manifest.format),
        ignored=[{"path": item.path, "reason": item.reason} for item in manifest.ignored],
        claimed_report=load_report(manifest.grading_report),
    )
    evidence = [member for member in manifest.members if member.kind in EVIDENCE]
    EvidenceFile.objects.bulk_create([_evidence_file(bundle, member) for member in evidence], AT_ONCE)
    _record_runs(submission, manifest)
    RUNS_WRITTEN.reach()
    add_revision(submission, read.document, author=None)
    record_outlook(submission, read.outlook, now)
    move(submission, Status.AWAITING_TEAM, at=now, lease_until=None)


def _still_ours(claim: CheckClaim) -> None:
    if not _held(claim).update(lease_until=None):
        raise CheckLost


def _record_runs(submission: Submission, manifest: Manifest) -> None:
    """Another submission of the team may be recording the same blobs; whoever comes first makes them."""
    found = [member for member in manifest.members if member.kind not in EVIDENCE]
    fresh = {member.sha256: _blob(submission, member) for member in found}
    Blob.objects.bulk_create(fresh.values(), AT_ONCE, ignore_conflicts=True)
    blobs = _blobs_of(submission, manifest)
    Run.objects.bulk_create([_run(submission, member, blobs[member.sha256]) for member in found], AT_ONCE)


def _blob(submission: Submission, member: Member) -> Blob:
    return Blob(
        realm=submission.team.realm,
        sha256=member.sha256,
        size=member.size,
        key=_key(submission, member),
    )


def _run(submission: Submission, member: Member, blob: Blob) -> Run:
    assert member.seed, "a CSV is kept by its seed"
    assert member.competition_id, "and by its competition"
    return Run(
        submission=submission,
        folder=member.seed,
        seed=member.seed,
        competition_id=member.competition_id,
        checkpoint_hours=member.checkpoint_hours,
        blob=blob,
    )


def _evidence_file(bundle: Bundle, member: Member) -> EvidenceFile:
    return EvidenceFile(
        bundle=bundle,
        path=member.path[:500],
        seed=member.seed or "",
        competition_id=member.competition_id,
        size=member.size,
        sha256=member.sha256,
        key=_key(bundle.submission, member),
    )


def _reject(claim: CheckClaim, problems: list[dict[str, str]], now: datetime) -> None:
    with transaction.atomic():
        _still_ours(claim)
        move(claim.submission, Status.REJECTED, at=now, problems=problems, detail={"problems": len(problems)})


def release(claim: CheckClaim, now: datetime) -> None:
    """Free for another worker at once, since this one ends."""
    _held(claim).update(**{**released_columns(now), "lease_until": now})


def give_up_check(claim: CheckClaim, now: datetime) -> bool:
    """After a fault of ours: free for the next attempt, or, after the last, rejected saying so. Whether it ended."""
    submission = claim.submission
    if submission.attempts < settings.INTAKE_ATTEMPTS:
        _held(claim).update(lease_until=now + pause_after(submission.attempts))
        return False
    try:
        _reject(claim, [_problem("intake_fault", "archive", INTAKE_FAULT)], now)
    except (CheckLost, StatusConflict):
        log.warning("%s was taken over", submission)
    return True
