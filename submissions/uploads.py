"""An upload, from the first request to the last part."""

import logging
import re
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.core.files.storage import storages
from django.db import IntegrityError, transaction
from django.db.models import QuerySet, Sum
from django.urls import reverse

from grading.bucket import BucketStorage, ObjectChanged, RefusingStorage, StoreRefused, StoreSilent
from grading.fault_points import fault_point
from grading.models import Benchmark
from submissions import direct
from submissions.bucket_parts import BucketParts
from submissions.models import Organisation, Submission, Team, Upload, UploadPart, User
from submissions.part_store import LocalParts, PartRefused, PartTarget, Readable
from submissions.room import LARGEST_BUNDLES, has_room
from submissions.states import StatusConflict, move, record_event

log = logging.getLogger(__name__)
Status = Submission.Status
PART_STORED = fault_point("part_stored")
PART_RECORDED = fault_point("part_recorded")
UPLOAD_COMPLETED = fault_point("upload_completed")
SHA256 = re.compile(r"[0-9a-fA-F]{64}")
MOST_ADDRESSES = 100
SILENT = (
    "The store for bundles is not answering. What has arrived is kept; try again in a minute, and it goes on."
)
DIRECT_ONLY = (
    "Bundles go straight into this site's store, which takes a browser with JavaScript over https, or the "
    "command-line client. Nothing was stored."
)
NO_ROOM = (
    f"Until a maintainer has verified your organisation, {LARGEST_BUNDLES} bundles may wait to be read, and there is "
    f"room for {LARGEST_BUNDLES} of the largest, also rejected ones. Wait, withdraw what you do not need, or ask a "
    "maintainer."
)
OTHER_BYTES = "The store holds other bytes than were announced. Begin a new upload for a changed file."


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


def part_store() -> LocalParts | BucketParts:
    """Where parts lie. Raises StoreRefused in a process without a key to them."""
    store = storages["bundles"]
    if isinstance(store, BucketStorage):
        return BucketParts(store.access)
    return LocalParts(root=Path(store.path("")))


def is_direct() -> bool:
    """Whether parts go straight into a bucket, and never through this site."""
    return isinstance(storages["bundles"], BucketStorage | RefusingStorage)


def _bucket() -> BucketParts | None:
    store = part_store() if is_direct() else None
    return store if isinstance(store, BucketParts) else None


@contextmanager
def _answering() -> Iterator[None]:
    """Says to the sender what becomes of an upload while its store fails."""
    try:
        yield
    except (StoreSilent, StoreRefused) as error:
        log.error("%s", error)
        raise UploadError("storage_silent", SILENT, status=503) from error


def open_bundle(upload: Upload) -> BinaryIO:
    """The completed bundle as a stream; out of a bucket, the very version that was completed. Raises OSError."""
    store = part_store()
    if isinstance(store, BucketParts):
        return store.open(upload.key, upload.storage_version, upload.storage_etag)
    return store.open(upload.key, upload.part_count)


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
    # Of many at once, one after the other: each would find room.
    User.objects.select_for_update().get(pk=user.pk)
    Organisation.objects.select_for_update().get(pk=team.organisation_id)
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
    _check_room(team, user)
    return submission


def _check_room(team: Team, user: User) -> None:
    """Last, and undone with all before it: asked for twice, the same upload takes no room of its own."""
    if not has_room(team, user):
        raise UploadError("no_room", NO_ROOM, status=409)


def part_target(upload: Upload, number: int) -> PartTarget | None:
    """Where to send a part through this site; None where an address has to be asked for."""
    if is_direct():
        return None
    url = reverse("api:upload-part", args=[upload.submission.public_id, number])
    return PartTarget(url=url, headers={"Content-Type": "application/octet-stream"})


def announce_parts(upload: Upload, digests: Mapping[int, str]) -> dict[int, PartTarget]:
    """Where to send each of these parts in the next quarter of an hour. `digests`: SHA-256 by number."""
    store = _bucket()
    if store is None:
        raise UploadError("not_direct", "Parts go to the addresses that the upload names.", status=409)
    if len(digests) > MOST_ADDRESSES:
        raise UploadError("too_many_parts", f"Ask for at most {MOST_ADDRESSES} addresses at a time.")
    for number, sha256 in digests.items():
        _check_part(upload, number, upload.size_of(number), sha256)
    for part in upload.parts.filter(number__in=digests):
        _same_part(part, digests[part.number])
    with _answering():
        return direct.announce(store, upload, {number: text.lower() for number, text in digests.items()})


def look_up_parts(upload: Upload) -> None:
    """Asks the store what has arrived, while an upload goes straight there."""
    store = _bucket()
    if store is None or upload.submission.status != Status.UPLOADING:
        return
    try:
        with _answering():
            direct.look_up(store, upload)
    except FileNotFoundError:
        return  # Complete, but not yet on record: completing it again says so.


def store_part(upload: Upload, number: int, source: Readable, length: int | None, sha256: str) -> UploadPart:
    """The part, stored and recorded. The same part twice is stored once; another content for it is refused."""
    store = part_store()
    if isinstance(store, BucketParts):
        raise UploadError("direct_only", DIRECT_ONLY, status=409)
    _check_part(upload, number, length, sha256)
    stored = upload.parts.filter(number=number).first()
    if stored is not None:
        return _same_part(stored, sha256)
    size = upload.size_of(number)
    try:
        store.write(upload.key, number, source, size, sha256)
    except PartRefused as error:
        raise UploadError(error.code, error.message) from error
    PART_STORED.reach()
    part, _ = UploadPart.objects.get_or_create(
        upload=upload, number=number, defaults={"size": size, "sha256": sha256.lower()}
    )
    PART_RECORDED.reach()
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
    _complete_directly(upload)
    missing = missing_parts(upload) if not upload.storage_etag else []
    if missing:
        some = ", ".join(map(str, missing[:10]))
        raise UploadError("parts_missing", f"{len(missing)} parts have not arrived: {some}.", status=409)
    try:
        with transaction.atomic():
            move(submission, Status.RECEIVED, at=now, actor=user)
            Upload.objects.filter(pk=upload.pk).update(completed_at=now)
    except StatusConflict as error:
        raise UploadError(
            "not_uploading", "This upload is already complete or was given up.", status=409
        ) from error
    UPLOAD_COMPLETED.reach()


def _complete_directly(upload: Upload) -> None:
    """Has the store make one object of the parts that it holds; nothing where they lie here, or some are missing."""
    store = _bucket()
    if store is None or upload.submission.status != Status.UPLOADING:
        return
    try:
        with _answering():
            direct.complete(store, upload)
    except ObjectChanged as error:
        log.warning("%s: %s", upload, error)
        raise UploadError("part_differs", OTHER_BYTES, status=409) from error


def missing_parts(upload: Upload) -> list[int]:
    here = set(upload.parts.values_list("number", flat=True))
    return [number for number in range(1, upload.part_count + 1) if number not in here]


def received_bytes(upload: Upload) -> int:
    return upload.parts.aggregate(total=Sum("size"))["total"] or 0


def abandon_expired(now: datetime) -> int:
    """Gives up uploads that ran out of time and deletes their parts. Returns how many."""
    expired = Submission.objects.filter(status=Status.UPLOADING, upload__expires_at__lt=now)
    count = sum(_abandon(submission, now) for submission in list(expired.select_related("upload")))
    delete_given_up(now)
    return count


def _abandon(submission: Submission, now: datetime) -> bool:
    try:
        move(submission, Status.ABANDONED, at=now, detail={"reason": "the upload was not finished in time"})
    except StatusConflict:  # Completed or withdrawn a moment ago.
        return False
    return True


def delete_given_up(now: datetime) -> int:
    """Deletes the parts of uploads that were given up or taken back before they were complete. Returns how many."""
    over = (Status.ABANDONED, Status.WITHDRAWN)
    return _delete_all(
        Upload.objects.filter(deleted_at=None, completed_at=None, submission__status__in=over), now
    )


def delete_old_bundles(now: datetime) -> int:
    """Deletes bundles that were kept as long as we said. What was read from them stays. Returns how many."""
    return _delete_all(
        Upload.objects.filter(deleted_at=None, completed_at__lt=now - settings.BUNDLE_RETENTION), now
    )


def _delete_all(uploads: QuerySet[Upload], now: datetime) -> int:
    """Those that the store does not let go of now are tried again the next time."""
    return sum(_deleted(upload, now) for upload in list(uploads))


def _deleted(upload: Upload, now: datetime) -> bool:
    try:
        delete_bytes(upload, now)
    except OSError as error:
        log.error("%s could not be deleted: %s", upload, error)
        return False
    return True


def delete_bytes(upload: Upload, now: datetime) -> None:
    store = part_store()
    if isinstance(store, BucketParts):
        store.delete(upload.key, upload.storage_upload_id)
    else:
        store.delete(upload.key)
    Upload.objects.filter(pk=upload.pk).update(deleted_at=now)


def abort_strays(now: datetime) -> int:
    """Ends what the store holds open and nobody here goes on with. Returns how many."""
    store = _bucket()
    try:
        return direct.abort_strays(store, now) if store else 0
    except OSError as error:
        log.error("%s", error)
        return 0
