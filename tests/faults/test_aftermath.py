"""The look back at the end names what is left, and nothing where nothing is."""

import pytest

from leaderboard.models import CodeComparison, EvidenceReading, Likeness
from tests import factories as make
from tests.faults.aftermath import unfinished

pytestmark = pytest.mark.django_db


def test_what_is_left_is_named_until_it_is_done() -> None:
    assert list(unfinished()) == []
    submission = make.make_submission(status="published")
    left = ["evidence read: 0 of 1", "code compared: 0 of 1", "predictions compared: 0 of 1"]
    assert list(unfinished()) == left
    EvidenceReading.objects.create(
        submission=submission, not_before=make.NOW, created_at=make.NOW, read_at=make.NOW, state="done"
    )
    CodeComparison.objects.create(
        submission=submission, files=1, read=1, compared_with=0, left_out=[], compared_at=make.NOW
    )
    likeness = Likeness.objects.create(submission=submission, state="failed")
    assert list(unfinished()) == left[2:]
    Likeness.objects.filter(pk=likeness.pk).update(state="done")
    assert list(unfinished()) == []
