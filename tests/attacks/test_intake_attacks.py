"""Bundles and parts that once got past intake, or made it fail as if the fault were ours."""

import io
from pathlib import Path
from typing import Any

import pytest

from grading.graders.precheck import Limits, read_checked
from grading.graders.reader import UnreadableFile, read_table
from grading.graders.verdict import InvalidSubmission
from submissions.models import Submission
from submissions.uploads import UploadError, complete_upload, part_store, store_part
from submissions.withdraw import withdraw
from tests.factories import NOW
from tests.submissions.bundles import tar
from tests.submissions.test_intake import CSV, check, upload
from tests.submissions.uploading import digest, make_upload

Status = Submission.Status


@pytest.mark.django_db
@pytest.mark.parametrize("report", [b'{"a": NaN}', b'{"a": 1e999}', b'{"a": -Infinity}'])
def test_a_grading_report_that_is_no_strict_json_proves_nothing_and_breaks_nothing(report: bytes) -> None:
    submission = check(upload(tar({"s0/one/submission.csv": CSV, "grading_report.json": report})))
    assert submission.status == Status.AWAITING_TEAM


@pytest.mark.django_db
def test_two_groups_on_one_seed_with_the_same_checkpoint_are_named_and_not_a_fault_of_ours() -> None:
    card = b"seeds:\n  run_groups:\n    a: s\n    b: s\n"
    files = {f"{group}/one/checkpoints/5/submission.csv": CSV for group in ("a", "b")}
    submission = check(upload(tar({"run_card.yaml": card, "s0/one/submission.csv": CSV, **files})))
    assert submission.status in (Status.AWAITING_TEAM, Status.REJECTED)


class Meanwhile(io.BytesIO):
    """A slow sender: something else happens before its last byte is read."""

    def __init__(self, content: bytes, happens: Any) -> None:
        super().__init__(content)
        self.happens = happens

    def read(self, size: int | None = -1, /) -> bytes:
        happens, self.happens = self.happens, None
        if happens:
            happens()
        return super().read(size)


@pytest.mark.django_db
def test_a_slow_part_cannot_replace_the_bytes_of_a_complete_bundle() -> None:
    good, other = b"the bundle", b"another  !"
    submission = make_upload(good)
    key = submission.upload.key

    def finish() -> None:
        store_part(submission.upload, 1, io.BytesIO(good), len(good), digest(good))
        complete_upload(submission.upload, submission.created_by, NOW)

    with pytest.raises(UploadError):
        store_part(submission.upload, 1, Meanwhile(other, finish), len(other), digest(other))
    with part_store().open(key, 1) as source:
        assert source.read() == good, "the stored bundle is no longer the one that was taken"


@pytest.mark.django_db
def test_a_part_that_ends_after_the_withdrawal_is_refused_and_leaves_nothing() -> None:
    submission = make_upload(b"the bundle")

    def take_back() -> None:
        withdraw(Submission.objects.get(pk=submission.pk), submission.created_by, NOW)

    with pytest.raises(UploadError):
        store_part(submission.upload, 1, Meanwhile(b"the bundle", take_back), 10, digest(b"the bundle"))
    assert not Path(part_store().root, submission.upload.key).exists()


def test_line_breaks_within_quotes_do_not_hide_columns(tmp_path: Path) -> None:
    """A header record of many physical lines: each short, together far beyond the limit, quadratic to name."""
    path = tmp_path / "many.csv"
    path.write_bytes(b'id,"\n"' + (b",a" * 100 + b',"\n"') * 50 + b"\n1\n")
    with pytest.raises((InvalidSubmission, UnreadableFile)):
        read_table(read_checked(path, Limits(columns=200)))
