"""Parts whose answer was lost are sent again, and are one part all the same."""

from collections.abc import Callable

import pytest

from submissions.bucket_parts import BucketParts
from submissions.models import Submission
from submissions.uploads import complete_upload, look_up_parts
from tests.factories import NOW
from tests.object_storage.sending import begin, bundle, send, sha256
from tests.submissions.test_intake import check

pytestmark = pytest.mark.django_db


def test_a_part_sent_twice_is_one_part(become: Callable[..., None]) -> None:
    submission = begin()
    send(submission, 1, 2)
    send(submission, 1)
    look_up_parts(submission.upload)
    assert sorted(submission.upload.parts.values_list("number", flat=True)) == [1, 2]
    complete_upload(submission.upload, submission.created_by, NOW)
    submission.refresh_from_db()
    assert check(submission).status == Submission.Status.AWAITING_TEAM, submission.problems
    assert submission.bundle.sha256 == sha256(bundle())


def test_a_part_that_the_store_lists_twice_is_one_part(
    become: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    submission, listed = begin(), BucketParts.arrived
    monkeypatch.setattr(BucketParts, "arrived", lambda *asked: [*listed(*asked), *listed(*asked)])
    send(submission, 1, 2)
    complete_upload(submission.upload, submission.created_by, NOW)
    submission.refresh_from_db()
    assert check(submission).status == Submission.Status.AWAITING_TEAM, submission.problems
