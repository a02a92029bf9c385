"""What time does to uploads."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import storages

from submissions.models import Submission
from submissions.uploads import abandon_expired, delete_old_bundles
from tests.factories import NOW
from tests.submissions.test_intake import begin, tar_gz, upload

pytestmark = pytest.mark.django_db


def bytes_of(submission: Submission) -> list[Path]:
    return list(Path(storages["bundles"].path(submission.upload.key)).glob("*"))


def test_an_unfinished_upload_is_given_up_and_its_parts_deleted() -> None:
    submission = begin(b"content")
    assert bytes_of(submission)
    assert abandon_expired(NOW + settings.UPLOAD_EXPIRES - timedelta(seconds=1)) == 0
    assert abandon_expired(NOW + settings.UPLOAD_EXPIRES + timedelta(seconds=1)) == 1
    submission.refresh_from_db()
    assert submission.status == Submission.Status.ABANDONED
    assert not bytes_of(submission)


def test_a_bundle_is_deleted_when_its_time_is_over(settings: Any) -> None:
    submission = upload(tar_gz({"s0/one/submission.csv": b"id,target\n"}))
    over = NOW + settings.BUNDLE_RETENTION + timedelta(seconds=1)
    assert delete_old_bundles(over - timedelta(days=1)) == 0
    assert bytes_of(submission)
    assert delete_old_bundles(over) == 1
    assert not bytes_of(submission)
    assert delete_old_bundles(over) == 0
