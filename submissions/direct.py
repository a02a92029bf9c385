"""Uploads whose parts go straight into a bucket: announced here, sent there, looked up when somebody asks."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction

from grading.bucket import ObjectChanged
from grading.fault_points import fault_point
from submissions.bucket_parts import ArrivedPart, BucketParts, OpenUpload, StoredObject
from submissions.models import AnnouncedPart, Submission, Upload, UploadPart
from submissions.part_store import PartTarget

log = logging.getLogger(__name__)
PARTS_ANNOUNCED = fault_point("parts_announced")
OBJECT_MADE = fault_point("object_made")
# Begun, and not yet on record here.
GRACE = timedelta(hours=1)


def open_upload(store: BucketParts, upload: Upload) -> str:
    """The store's name for this upload, begun now if it was not. Of two that begin one, the first on record stands."""
    if not upload.storage_upload_id:
        begun = store.begin(upload.key)
        Upload.objects.filter(pk=upload.pk, storage_upload_id="").update(storage_upload_id=begun)
        upload.refresh_from_db(fields=["storage_upload_id"])
    return upload.storage_upload_id


def announce(store: BucketParts, upload: Upload, digests: Mapping[int, str]) -> dict[int, PartTarget]:
    """Where to send each of these parts. `digests`: SHA-256 by number; one that has arrived keeps its own."""
    upload_id = open_upload(store, upload)
    rows = [AnnouncedPart(upload=upload, number=number, sha256=sha256) for number, sha256 in digests.items()]
    AnnouncedPart.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["upload", "number"], update_fields=["sha256"]
    )
    PARTS_ANNOUNCED.reach()
    return {
        number: store.target(upload.key, upload_id, number, upload.size_of(number), sha256)
        for number, sha256 in digests.items()
    }


def look_up(store: BucketParts, upload: Upload) -> list[ArrivedPart]:
    """The parts that are there as announced, written down as arrived. Raises FileNotFoundError as the store does."""
    if not upload.storage_upload_id:
        return []
    announced = dict(upload.announced.values_list("number", "sha256"))
    listed = store.arrived(upload.key, upload.storage_upload_id)
    # By number: a store may list a part twice whose first answer was lost, so that it was sent again.
    found = {part.number: part for part in listed if is_as_announced(upload, part, announced)}
    here = [with_digest(part, announced) for part in found.values()]
    _write_down(upload, here)
    return here


def is_as_announced(upload: Upload, part: ArrivedPart, announced: Mapping[int, str]) -> bool:
    """A store that lists no checksum has compared it all the same: the address was signed for it."""
    if not 1 <= part.number <= upload.part_count or part.number not in announced:
        return False
    return part.size == upload.size_of(part.number) and part.sha256 in ("", announced[part.number])


def with_digest(part: ArrivedPart, announced: Mapping[int, str]) -> ArrivedPart:
    return ArrivedPart(part.number, part.size, part.etag, announced[part.number])


def _write_down(upload: Upload, here: Sequence[ArrivedPart]) -> None:
    rows = [UploadPart(upload=upload, number=p.number, size=p.size, sha256=p.sha256) for p in here]
    with transaction.atomic():
        upload.parts.exclude(number__in=[part.number for part in here]).delete()
        UploadPart.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["upload", "number"],
            update_fields=["size", "sha256"],
        )


def complete(store: BucketParts, upload: Upload) -> StoredObject | None:
    """The object made of all parts, or None where some are missing. Raises ObjectChanged for other parts than said.

    Done before, by whoever was killed on the way here or by another at this moment, it is the same object.
    """
    try:
        here = look_up(store, upload)
        if len(here) < upload.part_count:
            return None
        made = store.complete(upload.key, upload.storage_upload_id, here)
        OBJECT_MADE.reach()
    except FileNotFoundError:
        found = store.completed(upload.key)
        if found is None:
            return None
        made = found
    if made.size != upload.size:
        raise ObjectChanged("the object has another size than the upload")
    return record_object(upload, made)


def record_object(upload: Upload, made: StoredObject) -> StoredObject:
    """The first object on record stands: that one is read, whatever lies under the key later."""
    Upload.objects.filter(pk=upload.pk, storage_etag="").update(
        storage_version=made.version, storage_etag=made.etag
    )
    upload.refresh_from_db(fields=["storage_version", "storage_etag"])
    return StoredObject(upload.storage_version, upload.storage_etag, made.size)


def abort_strays(store: BucketParts, now: datetime) -> int:
    """Ends uploads that the store holds open and nobody here goes on with. Returns how many."""
    strays = [each for each in store.open_uploads() if _is_stray(each, now)]
    for stray in strays:
        store.abort(stray.key, stray.upload_id)
    return len(strays)


def _is_stray(found: OpenUpload, now: datetime) -> bool:
    """One that is not on record may have been begun a moment ago."""
    wanted = Upload.objects.filter(
        storage_upload_id=found.upload_id, submission__status=Submission.Status.UPLOADING
    )
    return now - found.begun_at > GRACE and not wanted.exists()
