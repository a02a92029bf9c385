"""An upload, from the first request to the last part."""

import re
import uuid
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.files.storage import storages
from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.urls import reverse

from grading.models import Benchmark
from submissions.models import Submission, Team, Upload, UploadPart, User
from submissions.part_store import LocalParts, PartRefused, PartTarget, Readable
from submissions.states import StatusConflict, move, record_event

Status = Submission.Status
SHA256 = re.compile(r"[0-9a-fA-F]{64}")


class UploadError(Exception):
    """Shown to the sender: a code, a sentence, and the HTTP status that fits."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


@dataclass(frozen=True)
class UploadRequest:
    """What a team announces before the first byte. `creation_key` makes asking twice harmless."""

    filename: str
    size: int
    creation_key: uuid.UUID
    supersedes: Submission | None = None
    what_changed: str = ""


def part_store() -> LocalParts:
    return LocalParts(root=Path(storages["bundles"].path("")))


def begin_upload(
    team: Team, benchmark: Benchmark, user: User, request: UploadRequest, now: datetime
) -> Submission:
    """The new submission, or the one this creation key already made. Raises UploadError for a size we do not take."""
    _check_size(request.size)
    try:
        with transaction.atomic():
            return _create(team, benchmark, user, request, now)
    except IntegrityError:
        return Submission.objects.get(team=team, creation_key=request.creation_key)


def _check_size(size: int) -> None:
    limit = settings.UPLOAD_MAX_BYTES
    if size < 1:
        raise UploadError("empty_file", "The file is empty.")
    if size > limit:
        raise UploadError(
            "too_large", f"The file has {size:,} bytes; a bundle may have {limit:,}.", status=413
        )


def _create(
    team: Team, benchmark: Benchmark, user: User, request: UploadRequest, now: datetime
) -> Submission:
    submission = Submission.objects.create(
        team=team,
        benchmark=benchmark,
        created_by=user,
        creation_key=request.creation_key,
        supersedes=request.supersedes,
        what_changed=request.what_changed.strip() if request.supersedes else "",
    )
    Upload.objects.create(
        submission=submission,
        filename=request.filename[:255],
        size=request.size,
        part_size=settings.UPLOAD_PART_BYTES,
        key=f"bundle/{submission.public_id}",
        expires_at=now + settings.UPLOAD_EXPIRES,
    )
    record_event(submission, "created", at=now, actor=user, after=Status.UPLOADING)
    return submission


def part_target(upload: Upload, number: int) -> PartTarget:
    """Where to send a part; here, through this site."""
    url = reverse("api:upload-part", args=[upload.submission.public_id, number])
    return PartTarget(url=url, headers={"Content-Type": "application/octet-stream"})


def store_part(upload: Upload, number: int, source: Readable, length: int | None, sha256: str) -> UploadPart:
    """The part, stored and recorded. The same part twice is stored once; another content for it is refused."""
    _check_part(upload, number, length, sha256)
    stored = upload.parts.filter(number=number).first()
    if stored is not None:
        return _same_part(stored, sha256)
    size = upload.size_of(number)
    try:
        part_store().write(upload.key, number, source, size, sha256)
    except PartRefused as error:
        raise UploadError(error.code, error.message) from error
    part, _ = UploadPart.objects.get_or_create(
        upload=upload, number=number, defaults={"size": size, "sha256": sha256.lower()}
    )
    return _same_part(part, sha256)


def _check_part(upload: Upload, number: int, length: int | None, sha256: str) -> None:
    if upload.submission.status != Status.UPLOADING:
        raise UploadError("not_uploading", "This upload is already complete or was given up.", status=409)
    if not 1 <= number <= upload.part_count:
        raise UploadError("no_such_part", f"This upload has parts 1 to {upload.part_count}.", status=404)
    if not SHA256.fullmatch(sha256):
        raise UploadError("checksum_missing", "Send the part's SHA-256, 64 hex digits, in X-Checksum-Sha256.")
    if length != upload.size_of(number):
        raise UploadError(
            "part_size", f"Part {number} must have {upload.size_of(number)} bytes (Content-Length)."
        )


def _same_part(part: UploadPart, sha256: str) -> UploadPart:
    if part.sha256 != sha256.lower():
        raise UploadError(
            "part_differs",
            f"Part {part.number} is already here with another checksum. Is it still the same file? "
            "Begin a new upload for a changed one.",
            status=409,
        )
    return part


def complete_upload(upload: Upload, user: User, now: datetime) -> None:
    """Hands the bundle to intake. Doing it twice is the same as once; missing parts are named."""
    submission = upload.submission
    if submission.status not in (Status.UPLOADING, Status.ABANDONED, Status.WITHDRAWN):
        return
    missing = missing_parts(upload)
    if missing:
        some = ", ".join(map(str, missing[:10]))
        raise UploadError("parts_missing", f"{len(missing)} parts have not arrived: {some}.", status=409)
    try:
        move(submission, Status.RECEIVED, at=now, actor=user)
    except StatusConflict as error:
        raise UploadError(
            "not_uploading", "This upload is already complete or was given up.", status=409
        ) from error
    Upload.objects.filter(pk=upload.pk).update(completed_at=now)


def missing_parts(upload: Upload) -> list[int]:
    here = set(upload.parts.values_list("number", flat=True))
    return [number for number in range(1, upload.part_count + 1) if number not in here]


def received_bytes(upload: Upload) -> int:
    return upload.parts.aggregate(total=Sum("size"))["total"] or 0


def abandon_expired(now: datetime) -> int:
    """Gives up uploads that ran out of time and deletes their parts. Returns how many."""
    expired = Submission.objects.filter(status=Status.UPLOADING, upload__expires_at__lt=now)
    return sum(_abandon(submission, now) for submission in list(expired.select_related("upload")))


def _abandon(submission: Submission, now: datetime) -> bool:
    try:
        move(submission, Status.ABANDONED, at=now, detail={"reason": "the upload was not finished in time"})
    except StatusConflict:  # Completed or withdrawn a moment ago.
        return False
    delete_bytes(submission.upload, now)
    return True


def delete_old_bundles(now: datetime) -> int:
    """Deletes bundles that were kept as long as we said. What was read from them stays. Returns how many."""
    old = Upload.objects.filter(deleted_at=None, completed_at__lt=now - settings.BUNDLE_RETENTION)
    for upload in old:
        delete_bytes(upload, now)
    return len(old)


def delete_bytes(upload: Upload, now: datetime) -> None:
    part_store().delete(upload.key)
    Upload.objects.filter(pk=upload.pk).update(deleted_at=now)
