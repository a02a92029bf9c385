"""What the store takes at a signed address, and what it does not."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from submissions import bucket_parts, direct
from submissions.bucket_parts import BucketParts
from submissions.models import Submission, Upload
from submissions.uploads import (
    UploadError,
    abandon_expired,
    abort_strays,
    announce_parts,
    complete_upload,
    delete_old_bundles,
    look_up_parts,
    part_store,
    store_part,
)
from tests.factories import NOW
from tests.object_storage.sending import address, as_header, begin, bundle, part_of, put, send, sha256
from tests.submissions.test_intake import check

pytestmark = pytest.mark.django_db
Status = Submission.Status
Become = Callable[..., None]


@pytest.fixture(autouse=True)
def stores(become: Become) -> None:
    """All of them in the server."""


def bucket() -> BucketParts:
    store = part_store()
    assert isinstance(store, BucketParts)
    return store


def complete(submission: Submission) -> None:
    complete_upload(submission.upload, submission.created_by, NOW)
    submission.refresh_from_db()


def open_ids() -> set[str]:
    return {each.upload_id for each in bucket().open_uploads()}


def test_parts_sent_to_the_store_become_the_bundle_that_intake_reads() -> None:
    submission = begin()
    send(submission, 1, 2)
    complete(submission)
    assert submission.status == Status.RECEIVED
    assert check(submission).status == Status.AWAITING_TEAM, submission.problems
    assert submission.bundle.sha256 == sha256(bundle())
    assert submission.runs.count() == 1


@pytest.mark.parametrize(
    ("spoil", "status"),
    [
        pytest.param(lambda part: part[:-1], 403, id="shorter"),
        pytest.param(lambda part: part + b"x", 403, id="longer"),
        pytest.param(lambda part: b"x" + part[1:], 400, id="other bytes"),
    ],
)
def test_what_was_not_announced_is_refused(spoil: Callable[[bytes], bytes], status: int) -> None:
    submission = begin()
    part = part_of(bundle(), submission, 2)
    assert put(address(submission, 2, part), spoil(part), as_header(part)).status_code == status
    assert bucket().arrived(submission.upload.key, submission.upload.storage_upload_id) == []


def test_another_checksum_than_the_signed_one_is_refused() -> None:
    submission = begin()
    part = part_of(bundle(), submission, 2)
    other = b"x" + part[1:]
    assert put(address(submission, 2, part), other, as_header(other)).status_code == 403


def test_an_address_is_good_for_one_part_of_one_upload() -> None:
    submission, other = begin(), begin()
    part = part_of(bundle(), submission, 2)
    url = address(submission, 2, part)
    assert put(url.replace("partNumber=2", "partNumber=1"), part).status_code == 403
    assert put(url.replace(str(submission.public_id), str(other.public_id)), part).status_code == 403
    assert put(url, part).status_code == 200


def test_an_old_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket_parts, "ADDRESS_VALID_S", -60)
    submission = begin()
    part = part_of(bundle(), submission, 2)
    assert put(address(submission, 2, part), part).status_code in (400, 403)
    monkeypatch.setattr(bucket_parts, "ADDRESS_VALID_S", 900)
    assert put(address(submission, 2, part), part).status_code == 200


def test_an_upload_goes_on_from_what_is_there() -> None:
    submission = begin()
    send(submission, 1)
    look_up_parts(submission.upload)
    here = submission.upload.parts.get()
    assert (here.number, here.sha256) == (1, sha256(part_of(bundle(), submission, 1)))
    with pytest.raises(UploadError) as missing:
        complete(submission)
    assert missing.value.code == "parts_missing"
    send(submission, 2)
    complete(submission)
    assert submission.status == Status.RECEIVED


def test_a_part_that_is_here_keeps_its_content() -> None:
    submission = begin()
    send(submission, 1)
    look_up_parts(submission.upload)
    with pytest.raises(UploadError) as refused:
        announce_parts(submission.upload, {1: sha256(b"other")})
    assert refused.value.code == "part_differs"


def test_a_part_announced_anew_after_it_was_sent_is_not_taken() -> None:
    submission = begin()
    send(submission, 1, 2)
    announce_parts(submission.upload, {2: sha256(b"never sent")})
    with pytest.raises(UploadError) as refused:
        complete(submission)
    assert refused.value.code == "part_differs"
    assert submission.status == Status.UPLOADING


def test_parts_do_not_go_through_the_site() -> None:
    submission = begin()
    with pytest.raises(UploadError) as refused:
        store_part(submission.upload, 1, None, 5 * 2**20, sha256(b""))  # type: ignore[arg-type]
    assert refused.value.code == "direct_only"


def test_completing_twice_is_once() -> None:
    submission = begin()
    send(submission, 1, 2)
    direct.complete(bucket(), submission.upload)
    made = (submission.upload.storage_version, submission.upload.storage_etag)
    Upload.objects.update(storage_version="", storage_etag="")  # Killed before it was on record.
    submission.upload.refresh_from_db()
    complete(submission)
    submission.upload.refresh_from_db()
    assert (submission.upload.storage_version, submission.upload.storage_etag) == made
    assert submission.status == Status.RECEIVED


def test_what_replaces_a_completed_bundle_is_not_read() -> None:
    submission = begin()
    send(submission, 1, 2)
    complete(submission)
    client = bucket_parts.client_of(bucket().access)
    client.put_object(Bucket=bucket().access.bucket, Key=submission.upload.key, Body=b"something else")
    assert check(submission).status == Status.AWAITING_TEAM
    assert submission.bundle.sha256 == sha256(bundle())


def test_an_upload_that_ran_out_of_time_leaves_nothing_in_the_store(settings: Any) -> None:
    submission = begin()
    send(submission, 1)
    assert submission.upload.storage_upload_id in open_ids()
    assert abandon_expired(NOW + settings.UPLOAD_EXPIRES + timedelta(seconds=1)) == 1
    assert submission.upload.storage_upload_id not in open_ids()
    submission.upload.refresh_from_db()
    assert submission.upload.deleted_at is not None


def test_an_upload_that_nobody_knows_is_ended() -> None:
    wanted = begin()
    send(wanted, 1)
    stray = bucket().begin("bundle/nobody-knows")
    assert abort_strays(timezone.now()) == 0, "it may have been begun a moment ago"
    abort_strays(timezone.now() + timedelta(hours=2))
    assert stray not in open_ids()
    assert wanted.upload.storage_upload_id in open_ids()


def test_an_old_bundle_is_deleted_with_all_its_versions(settings: Any) -> None:
    submission = begin()
    send(submission, 1, 2)
    complete(submission)
    assert bucket().completed(submission.upload.key) is not None
    assert delete_old_bundles(NOW + settings.BUNDLE_RETENTION + timedelta(seconds=1)) >= 1
    assert bucket().completed(submission.upload.key) is None
