"""One reading as a row: who takes it, what is lost and found, and how long a review waits."""

import io
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import storages

from grading.bucket import StoreSilent
from leaderboard.evidence import stage, tasks
from leaderboard.evidence.facts import EvidenceFacts
from leaderboard.models import Claim, EvidenceMatch, EvidenceReading, Finding
from leaderboard.review import find_graded, open_review
from submissions.models import Submission
from tests import factories as make
from tests.leaderboard.evidence.submitted import COMPETITION, add_evidence, submitted
from tests.submissions.run_cards import having

pytestmark = pytest.mark.django_db
State = EvidenceReading.State
GRADED = b"[2026-03-01 10:00:00] $ mlebench grade-sample submission.csv spaceship-titanic\n"


def read(submission: Submission) -> EvidenceReading:
    tasks.read(str(submission.public_id))
    return EvidenceReading.objects.get(submission=submission)


def claim(submission: Submission, now: Any = make.NOW) -> stage.ReadingClaim | None:
    stage.request_reading(submission, now)
    return stage.claim_reading(str(submission.public_id), now)


def test_a_reading_becomes_facts_and_lines() -> None:
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED, f"0/{COMPETITION}/code/a.py": b"x = 1\n"})
    reading = read(submission)
    assert (reading.state, reading.facts["files"], reading.facts["lines"]) == (State.DONE, 2, 2)
    match = reading.matches.get()
    assert (match.code, match.place, match.line) == ("grading-command", f"0/{COMPETITION}", 1)


def test_reading_twice_is_reading_once() -> None:
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED})
    first = read(submission)
    assert read(submission).read_at == first.read_at
    assert EvidenceMatch.objects.count() == 1


def test_run_groups_are_named_by_their_seeds() -> None:
    document = {"seeds": {"run_groups": {"group-a": "7"}, "labels": ["7"]}}
    submission = submitted({f"group-a/{COMPETITION}_1/logs/a.log": GRADED}, document=document)
    assert read(submission).facts["logs"] == [f"7/{COMPETITION}"]


def test_without_evidence_there_is_no_row_and_nothing_to_wait_for() -> None:
    submission = submitted({})
    tasks.read(str(submission.public_id))
    assert not EvidenceReading.objects.exists()
    assert find_graded() == [submission.public_id]
    assert open_review(submission, make.NOW)


def test_nothing_is_read_before_the_confirmation_or_after_an_exit() -> None:
    for status in (Submission.Status.AWAITING_TEAM, Submission.Status.WITHDRAWN, Submission.Status.IN_REVIEW):
        submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED}, status=status)
        tasks.read(str(submission.public_id))
        assert stage.take_unrung(make.NOW) == []
    assert not EvidenceReading.objects.exists()


def test_the_review_waits_until_the_logs_are_read() -> None:
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED})
    assert not open_review(submission, make.NOW)
    assert find_graded() == []
    assert claim(submission)
    assert not open_review(submission, make.NOW)
    EvidenceReading.objects.all().delete()
    read(submission)
    assert find_graded() == [submission.public_id]
    assert open_review(submission, make.NOW)


def test_the_claims_and_findings_of_the_review_speak_of_the_logs() -> None:
    document = having({"compute.overrides": None})
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED}, document=document)
    read(submission)
    assert open_review(submission, make.NOW)
    signal = Claim.objects.get(submission=submission, code="test-set-signal")
    assert (signal.state, signal.evidence["logged"]) == ("contradicted", "score")
    found = Finding.objects.get(submission=submission, code="logs-grading-command")
    assert found.severity == "serious"
    assert found.sentence == f"1 line: 1 in the logs of 0/{COMPETITION}."
    assert (
        b"submission.csv"
        not in repr((signal.sentence, signal.evidence, found.sentence, found.evidence)).encode()
    )


def test_a_reading_given_up_opens_the_review_and_says_so() -> None:
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED})
    held = claim(submission)
    assert held
    stage.give_up(held, make.NOW)
    assert open_review(submission, make.NOW)
    assert Finding.objects.filter(submission=submission, code="logs-given-up").exists()
    assert not Claim.objects.filter(submission=submission, state="contradicted").exists()


def test_one_claim_at_a_time_and_a_killed_worker_is_taken_over() -> None:
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED})
    first = claim(submission)
    assert first
    assert claim(submission) is None
    assert stage.take_unrung(make.NOW) == []
    later = make.NOW + settings.EVIDENCE_LEASE + timedelta(seconds=1)
    assert stage.take_unrung(later) == [str(submission.public_id)]
    second = claim(submission, later)
    assert second
    assert not stage.extend_reading(first, later)
    stage.record_facts(first, EvidenceFacts(files=9), [])
    stage.finish_reading(first, later)
    stage.give_back(first, later)
    assert EvidenceReading.objects.get().state == State.RUNNING
    stage.record_facts(second, EvidenceFacts(files=1), [])
    stage.finish_reading(second, later)
    assert (EvidenceReading.objects.get().state, EvidenceReading.objects.get().facts["files"]) == (
        State.DONE,
        1,
    )


def test_a_fault_is_tried_again_and_then_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(submission: Submission) -> None:
        raise ValueError("a file that nobody thought of")

    monkeypatch.setattr(tasks, "read_evidence", fail)
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED})
    for attempt in range(settings.EVIDENCE_ATTEMPTS):
        assert not open_review(submission, make.NOW), attempt
        EvidenceReading.objects.update(not_before=make.NOW)
        read(submission)
    assert EvidenceReading.objects.get().state == State.FAILED
    assert open_review(submission, make.NOW)


def test_a_file_that_kills_its_workers_is_given_up() -> None:
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED})
    assert claim(submission)
    EvidenceReading.objects.update(lease_until=make.NOW, attempts=settings.EVIDENCE_ATTEMPTS)
    assert read(submission).state == State.FAILED


def test_what_was_read_outlasts_a_worker_that_something_else_kills(monkeypatch: pytest.MonkeyPatch) -> None:
    def die(submission: Submission, now: Any) -> None:
        raise SystemExit

    monkeypatch.setattr(tasks, "_further", die)
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED})
    for _ in range(settings.EVIDENCE_ATTEMPTS):
        with pytest.raises(SystemExit):
            read(submission)
        assert not open_review(submission, make.NOW)
        EvidenceReading.objects.update(lease_until=make.NOW)
    assert read(submission).state == State.DONE
    assert EvidenceMatch.objects.count() == 1
    assert open_review(submission, make.NOW)
    assert Finding.objects.filter(submission=submission, code="logs-grading-command").exists()


def test_the_sweep_makes_rows_that_a_lost_ring_left_out(rings: list[tuple[str, Any]]) -> None:
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED}, status=Submission.Status.GRADING)
    assert stage.take_unrung(make.NOW) == [str(submission.public_id)]
    assert stage.take_unrung(make.NOW) == []
    assert EvidenceReading.objects.get().state == State.QUEUED


def test_the_review_is_rung_where_grading_was_faster(
    rings: list[tuple[str, Any]], django_capture_on_commit_callbacks: Any
) -> None:
    for status, expected in (
        (Submission.Status.GRADED, [settings.GRADED_TASK]),
        (Submission.Status.GRADING, []),
    ):
        rings.clear()
        submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED}, status=status)
        with django_capture_on_commit_callbacks(execute=True):
            read(submission)
        assert [name for name, _ in rings] == expected


def test_what_else_reads_the_files_may_fail_without_harm(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Submission] = []
    monkeypatch.setattr(
        tasks, "import_string", {"good": lambda s, now: seen.append(s), "bad": lambda s, now: 1 / 0}.get
    )
    settings.EVIDENCE_STAGES = ("bad", "good")
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED})
    assert read(submission).state == State.DONE
    assert seen == [submission]


def test_a_store_that_fails_what_else_reads_the_files_costs_an_attempt_and_no_facts(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def silent_once(submission: Submission, now: Any) -> None:
        calls.append("store")
        if len(calls) == 1:
            raise StoreSilent("not now")

    stages = {"store": silent_once, "other": lambda s, now: calls.append("other")}
    monkeypatch.setattr(tasks, "import_string", stages.get)
    settings.EVIDENCE_STAGES = ("store", "other")
    submission = submitted({f"0/{COMPETITION}/logs/a.log": GRADED})
    first = read(submission)
    assert (first.state, calls) == (State.QUEUED, ["store", "other"])
    assert first.facts
    EvidenceReading.objects.update(not_before=make.NOW)
    assert read(submission).state == State.DONE
    assert calls == ["store", "other"] * 2


def test_small_logs_come_first_and_what_is_left_over_is_named(settings: Any) -> None:
    settings.EVIDENCE_TOTAL_BYTES = 100
    files: Mapping[str, bytes] = {
        f"0/{COMPETITION}/code/a.py": b"x = 1\n",
        f"0/{COMPETITION}/logs/large.log": b"y" * 200,
        f"0/{COMPETITION}/logs/small.log": GRADED,
    }
    submission = submitted(files)
    facts = read(submission).facts
    assert facts["seen"]["grading-command"]["runs"] == {f"0/{COMPETITION}": 1}
    assert [unread["path"].rpartition("/")[2] for unread in facts["unread"]] == ["large.log", "a.py"]


def test_a_pattern_of_ones_own_is_looked_for(settings: Any, tmp_path: Any) -> None:
    from tests.leaderboard.evidence.test_patterns import OWN

    settings.EVIDENCE_PATTERNS = tmp_path / "own.toml"
    settings.EVIDENCE_PATTERNS.write_text(OWN)
    submission = submitted({f"0/{COMPETITION}/logs/a.log": b"cat holdout-7/answers.csv\n"})
    assert list(read(submission).facts["seen"]) == ["our-answers"]


def test_a_missing_file_is_a_fault_of_ours() -> None:
    submission = submitted({})
    add_evidence(submission, f"0/{COMPETITION}/logs/a.log", b"x")
    for file in submission.bundle.evidence.all():
        storages["evidence"].delete(file.key)
    assert read(submission).state == State.QUEUED
    storages["evidence"].save(file.key, io.BytesIO(b"x"))
    EvidenceReading.objects.update(not_before=make.NOW)
    assert read(submission).state == State.DONE
