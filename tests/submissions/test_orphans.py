"""Files that no row names are deleted once nobody will need them, and never before."""

import os
import time
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from grading.bucket import BucketStorage
from grading.models import Blob
from submissions.models import Submission
from submissions.orphans import delete_lost_spools, delete_old_copies, delete_orphans, spool_prefix
from submissions.spool import Spool
from tests.factories import make_submission

pytestmark = pytest.mark.django_db
Status = Submission.Status


def in_buckets() -> bool:
    """Whether these tests run on buckets."""
    return isinstance(storages["blobs"], BucketStorage)


def put(store: str, key: str) -> str:
    return storages[store].save(key, ContentFile(b"1"))


@pytest.mark.parametrize(
    ("status", "is_deleted"),
    [
        (Status.REJECTED, True),
        (Status.CHECKING, False),
        (Status.RECEIVED, False),
        (Status.AWAITING_TEAM, False),
        (Status.PUBLISHED, False),
    ],
)
def test_only_what_rejected_bundles_left_is_deleted(status: str, is_deleted: bool) -> None:
    submission = make_submission(status=status)
    keys = [("blobs", f"csv/{submission.public_id}/a"), ("evidence", f"evidence/{submission.public_id}/b")]
    for store, key in keys:
        put(store, key)
    assert delete_orphans(in_buckets=in_buckets()) == (2 if is_deleted else 0)
    assert [storages[store].exists(key) for store, key in keys] == [not is_deleted] * 2


def test_what_a_row_names_stays() -> None:
    submission = make_submission(status=Status.REJECTED)
    key = put("blobs", f"csv/{submission.public_id}/a")
    Blob.objects.create(realm="team", sha256="a" * 64, size=1, key=key)
    assert delete_orphans(in_buckets=in_buckets()) == 0


def test_folders_that_are_no_submissions_are_left_alone() -> None:
    put("blobs", "csv/else/a")
    assert delete_orphans(in_buckets=in_buckets()) == 0


def test_the_spool_of_a_lost_check_goes_and_that_of_the_present_one_stays(tmp_path: Path) -> None:
    submission = make_submission(status=Status.CHECKING)
    Submission.objects.filter(pk=submission.pk).update(fencing_token=2)
    parent = tmp_path / "spool"
    with Spool(parent, spool_prefix(submission, 2)):
        (parent / f"{spool_prefix(submission, 1)}abc").mkdir()
        (parent / "of-nobody").mkdir()
        assert delete_lost_spools() == 2
        assert [path.name.startswith(spool_prefix(submission, 2)) for path in parent.iterdir()] == [True]


def test_copies_go_after_an_hour(tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    assert delete_old_copies() == 0
    (spool / "folder").mkdir(parents=True)
    for name, age_s in (("fresh", 60), ("old", 3700)):
        (spool / name).write_text("1")
        os.utime(spool / name, (time.time() - age_s,) * 2)
    assert delete_old_copies() == 1
    assert {path.name for path in spool.iterdir()} == {"fresh", "folder"}
