"""What rejected bundles left in buckets is deleted by the process that has the right to, and asked of no other."""

from collections.abc import Callable

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from submissions.models import Submission
from submissions.tasks import tidy, tidy_intake
from tests.factories import make_submission

pytestmark = pytest.mark.django_db


def test_housekeeping_deletes_what_no_row_names(become: Callable[..., None]) -> None:
    submission = make_submission(status=Submission.Status.REJECTED)
    keys = {
        store: f"{kind}/{submission.public_id}/left"
        for store, kind in (("blobs", "csv"), ("evidence", "evidence"))
    }
    become()
    for store, key in keys.items():
        storages[store].save(key, ContentFile(b"1"))
    become("intake")
    tidy_intake()
    become()
    assert all(storages[store].exists(key) for store, key in keys.items())
    become("housekeeping")
    tidy()
    become()
    assert not any(storages[store].exists(key) for store, key in keys.items())
