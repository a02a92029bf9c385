"""From the parts of an upload to runs, evidence and a run card, or to every reason why not."""

import hashlib
import io
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import storages
from django.db import DataError, IntegrityError, OperationalError

from grading.models import Blob, Grading
from grading.splits import Split
from submissions.cards import CardConflict
from submissions.confirm import Confirmation, NotConfirmed, confirm, finish_grading, start_grading
from submissions.intake import CheckLost, check_bundle, claim_check, give_up_check
from submissions.models import EvidenceFile, Submission
from submissions.uploads import UploadRequest, begin_upload, complete_upload, store_part
from tests.factories import NOW, make_benchmark, make_team
from tests.submissions.bundles import tar as as_tar

pytestmark = pytest.mark.django_db
Status = Submission.Status
CARD = b"scaffold:\n  name: Example\n  version: '1.0'\n"
CSV = b"id,target\n1,0\n"


@pytest.fixture
def small_parts(settings: Any) -> None:
    settings.UPLOAD_PART_BYTES = 100


def begin(content: bytes, team: Any = None, benchmark: Any = None) -> Submission:
    """A submission whose parts have all arrived, and nobody has said so yet."""
    team = team or make_team()
    benchmark = benchmark or make_benchmark(splits={"one": "low", "two": "low"})
    request = UploadRequest("bundle.tar.gz", len(content), uuid.uuid4())
    submission = begin_upload(team, benchmark, team.members.first().user, request, NOW)
    size = submission.upload.part_size
    for number in range(1, submission.upload.part_count + 1):
        part = content[(number - 1) * size : number * size]
        store_part(submission.upload, number, io.BytesIO(part), len(part), hashlib.sha256(part).hexdigest())
    return submission


def upload(content: bytes, team: Any = None, benchmark: Any = None) -> Submission:
    """A submission whose bundle has arrived whole."""
    submission = begin(content, team, benchmark)
    complete_upload(submission.upload, submission.created_by, NOW)
    return submission


def check(submission: Submission) -> Submission:
    claim = claim_check(submission, NOW)
    assert claim is not None
    check_bundle(claim, NOW)
    submission.refresh_from_db()
    return submission


def tar_gz(content: dict[str, bytes]) -> bytes:
    return as_tar(content, "gz")


def stored(store: str, key: str) -> bytes:
    with storages[store].open(key) as file:
        return bytes(file.read())


def files(**more: bytes) -> dict[str, bytes]:
    return {
        "run_card.yaml": CARD,
        "s0/one/submission.csv": CSV,
        "s1/one/submission.csv": CSV + b"2,1\n",
        **more,
    }


@pytest.mark.usefixtures("small_parts")
def test_parts_become_runs_and_a_card() -> None:
    submission = check(upload(tar_gz({**files(), "s0/one/logs/agent.log": b"hello", "notes.txt": b"?"})))
    assert submission.status == Status.AWAITING_TEAM
    assert submission.upload.part_count > 1
    assert [(run.seed, run.competition_id) for run in submission.runs.all()] == [("s0", "one"), ("s1", "one")]
    blob = submission.runs.first().blob
    assert stored("blobs", blob.key) == CSV
    assert blob.sha256 == hashlib.sha256(CSV).hexdigest()
    assert submission.run_cards.get().document == {"scaffold": {"name": "Example", "version": "1.0"}}
    assert stored("evidence", EvidenceFile.objects.get().key) == b"hello"
    assert [ignored["path"] for ignored in submission.bundle.ignored] == ["notes.txt"]
    assert [event.after for event in submission.events.all()] == [
        "uploading",
        "received",
        "checking",
        "awaiting_team",
    ]


def test_equal_files_are_one_blob_within_a_team_and_two_across() -> None:
    benchmark, team = make_benchmark(splits={"one": "low"}), make_team()
    content = tar_gz({"s0/one/submission.csv": CSV, "s1/one/submission.csv": CSV})
    check(upload(content, team, benchmark))
    check(upload(content, team, benchmark))
    assert Blob.objects.count() == 1
    check(upload(content, make_team(), benchmark))
    assert Blob.objects.count() == 2


def test_hostile_bundle_is_rejected_with_every_reason() -> None:
    bad = tar_gz(
        {
            "run_card.yaml": b"scaffold:\n  nam: x\n",
            "../evil": b"x",
            "s0/one/submission.csv": CSV,
            "/abs": b"",
        }
    )
    submission = check(upload(bad))
    assert submission.status == Status.REJECTED
    assert {problem["where"] for problem in submission.problems} == {
        "../evil",
        "/abs",
        "run_card.yaml, line 2: scaffold.nam",
    }
    assert not submission.runs.exists()


def test_malformed_card_is_rejected_by_path_and_line() -> None:
    card = b"scaffold:\n  nam: Example\nseeds:\n  number_run_in_all: -1\n"
    submission = check(upload(tar_gz({"run_card.yaml": card, "s0/one/submission.csv": CSV})))
    assert submission.status == Status.REJECTED
    assert [problem["where"] for problem in submission.problems] == [
        "run_card.yaml, line 2: scaffold.nam",
        "run_card.yaml, line 4: seeds.number_run_in_all",
    ]


def test_without_a_card_the_form_starts_empty() -> None:
    submission = check(upload(tar_gz({"s0/one/submission.csv": CSV})))
    assert submission.run_cards.get().document == {}


def test_delivered_twice_it_is_checked_once() -> None:
    submission = check(upload(tar_gz(files())))
    assert claim_check(submission, NOW + timedelta(days=1)) is None
    assert submission.runs.count() == 2


def test_killed_worker_is_replaced_and_its_late_work_dropped() -> None:
    submission = upload(tar_gz(files()))
    lost = claim_check(submission, NOW)
    assert claim_check(submission, NOW) is None
    taken = claim_check(
        Submission.objects.get(pk=submission.pk), NOW + settings.INTAKE_LEASE + timedelta(seconds=1)
    )
    assert lost is not None
    assert taken is not None
    with pytest.raises(CheckLost):
        check_bundle(lost, NOW)
    check_bundle(taken, NOW)
    submission.refresh_from_db()
    assert submission.status == Status.AWAITING_TEAM
    assert submission.runs.count() == 2


def test_our_fault_is_tried_again_and_then_said() -> None:
    submission = upload(tar_gz(files()))
    for attempt in range(1, settings.INTAKE_ATTEMPTS + 1):
        claim = claim_check(submission, NOW + timedelta(hours=attempt))
        assert claim is not None
        assert give_up_check(claim, NOW) == (attempt == settings.INTAKE_ATTEMPTS)
    submission.refresh_from_db()
    assert (submission.status, submission.problems[0]["code"]) == (Status.REJECTED, "intake_fault")


def test_run_groups_become_seeds() -> None:
    card = b"seeds:\n  run_groups: {low-1: a, high-1: a, low-2: b}\n"
    bundle = {f"{group}/submission.csv": CSV for group in ("low-1/one", "high-1/two", "low-2/one")}
    submission = check(upload(tar_gz({"run_card.yaml": card, **bundle})))
    assert sorted(submission.runs.values_list("seed", "competition_id")) == [
        ("a", "one"),
        ("a", "two"),
        ("b", "one"),
    ]


def test_colliding_run_groups_cannot_be_confirmed() -> None:
    card = b"seeds:\n  run_groups: {s0: a, s1: a}\n"
    submission = check(upload(tar_gz({**files(), "run_card.yaml": card})))
    with pytest.raises(NotConfirmed) as refused:
        confirm(submission, submission.created_by, Confirmation(Split.LOW, "Ada", 1), NOW)
    assert [problem["code"] for problem in refused.value.problems] == ["seed_collision"]


@pytest.mark.parametrize("error", [IntegrityError, DataError, CardConflict])
def test_what_the_database_refuses_is_rejected_and_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def refuse(*args: Any, **options: Any) -> None:
        raise error("the text of a submission")

    monkeypatch.setattr("submissions.intake.add_revision", refuse)
    submission = check(upload(tar_gz(files())))
    assert (submission.status, submission.attempts) == (Status.REJECTED, 1)
    assert [problem["code"] for problem in submission.problems] == ["unstorable"]
    assert "the text of" not in str(submission.problems)
    assert not submission.runs.exists()


def test_a_database_that_is_away_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise OperationalError

    monkeypatch.setattr("submissions.intake.add_revision", fail)
    with pytest.raises(OperationalError):
        check(upload(tar_gz(files())))
    assert Submission.objects.get().status == Status.CHECKING


def confirmed(**options: Any) -> Submission:
    submission = check(upload(tar_gz(files()), **options))
    confirm(submission, submission.created_by, Confirmation(Split.LOW, "Ada", 1), NOW)
    return submission


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (Confirmation(Split.LOW, " ", 1), "no_name"),
        (Confirmation(Split.LOW, "Ada", 0), "stale_card"),
        (Confirmation(Split.HIGH, "Ada", 1), "no_such_scope"),
    ],
)
def test_confirmation_is_refused(said: Confirmation, code: str) -> None:
    submission = check(upload(tar_gz(files())))
    with pytest.raises(NotConfirmed) as refused:
        confirm(submission, submission.created_by, said, NOW)
    assert [problem["code"] for problem in refused.value.problems] == [code]
    submission.refresh_from_db()
    assert submission.status == Status.AWAITING_TEAM


def test_confirming_twice_is_confirming_once() -> None:
    submission = confirmed()
    confirm(submission, submission.created_by, Confirmation(Split.LOW, "Eve", 1), NOW)
    submission.refresh_from_db()
    assert (submission.status, submission.attested_name) == (Status.QUEUED, "Ada")


def test_grading_is_asked_for_once_and_ends_when_every_run_has_an_outcome() -> None:
    submission = confirmed()
    assert len(start_grading(submission, NOW)) == 2
    assert not start_grading(submission, NOW)
    assert Grading.objects.count() == 2
    assert not finish_grading(submission, NOW)
    Grading.objects.update(state="done", outcome="invalid", graded_at=NOW)
    assert finish_grading(submission, NOW)
    assert not finish_grading(submission, NOW)
    assert submission.status == Status.GRADED


def test_nothing_is_graded_before_the_organisation_is_verified() -> None:
    submission = confirmed()
    submission.team.organisation.verified_at = None
    assert not start_grading(submission, NOW)
    assert submission.status == Status.QUEUED


def test_when_every_grading_failed_on_our_side_the_submission_says_so() -> None:
    submission = confirmed()
    start_grading(submission, NOW)
    Grading.objects.update(state="done", outcome="grader_error", graded_at=NOW)
    assert finish_grading(submission, NOW)
    assert submission.status == Status.GRADING_FAILED
