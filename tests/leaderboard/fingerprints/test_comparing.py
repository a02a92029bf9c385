"""Predictions of real rows: read once, compared with all others, and told maintainers alone."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.files.storage import storages
from django.db import connection
from django.db.models import Q

from leaderboard.fingerprints import comparing, reading, stock
from leaderboard.fingerprints.comparing import compare
from leaderboard.fingerprints.reading import claim_reading, give_back, read_some, take_in, take_unrung, unread
from leaderboard.fingerprints.sketch import VERSION
from leaderboard.fingerprints.tasks import read, sweep
from leaderboard.models import Finding, Fingerprint, FingerprintBlock, Likeness, SampleFingerprint
from submissions.models import Submission
from tests.factories import NOW, make_benchmark, make_organisation, make_run, make_submission, make_team
from tests.leaderboard.fingerprints.files import NUMBERS, print_of
from tests.leaderboard.fingerprints.rows import (
    cactus,
    make_cactus_benchmark,
    make_stored,
    read_all,
    read_and_compare,
)

pytestmark = pytest.mark.django_db
State, Status = Likeness.State, Submission.Status
EARLIER = NOW - timedelta(days=1)


def found_in(submission: Submission) -> dict[str, list[dict[str, Any]]]:
    """Code to the pairs of runs that were found."""
    return {each.code: each.evidence["runs"] for each in Finding.objects.filter(submission=submission)}


def test_copied_predictions_are_found_though_reordered_and_blurred() -> None:
    benchmark = make_cactus_benchmark()
    first = make_stored(make_team(), benchmark, {"0": cactus(1), "1": cactus(2)})
    second = make_stored(
        make_team(), benchmark, {"0": cactus(3), "1": cactus(2, 1e-4, order=range(399, -1, -1))}
    )
    read_and_compare(first)
    likeness = read_and_compare(second)
    assert likeness.state == State.DONE
    (finding,) = Finding.objects.all()
    assert (finding.submission, finding.code, finding.severity) == (second, "near-duplicates", "serious")
    (pair,) = finding.evidence.pop("runs")
    assert (pair["run"], pair["other"]) == (f"1/{NUMBERS}", f"1/{NUMBERS}")
    assert pair["likeness"] > 0.9999
    assert finding.evidence == {"submission": f"submission {first.public_id}"}
    assert f"submission {first.public_id}" in finding.sentence


def test_who_is_compared_second_finds_it_whoever_was_first() -> None:
    benchmark = make_cactus_benchmark()
    both = [make_stored(make_team(), benchmark, {"0": cactus(1, noise)}) for noise in (0.0, 1e-4)]
    for each in both:
        read_all(each)
    for each in both:
        assert compare(each, NOW)
    assert [list(found_in(each)) for each in both] == [["near-duplicates"]] * 2


def test_independent_predictions_raise_nothing() -> None:
    benchmark = make_cactus_benchmark()
    for team in range(3):
        files = {str(seed): cactus(10 * team + seed) for seed in range(3)}
        read_and_compare(make_stored(make_team(), benchmark, files))
    assert not Finding.objects.exists()


def test_equal_bytes_are_left_to_those_who_tell_them_already() -> None:
    benchmark = make_cactus_benchmark()
    for files in ({"0": cactus(1)}, {"0": cactus(1), "1": cactus(1)}):
        read_and_compare(make_stored(make_team(), benchmark, files))
    assert not Finding.objects.exists()


def test_nearly_equal_seeds_are_found() -> None:
    files = {"0": cactus(1), "1": cactus(1, 1e-5), "2": cactus(2)}
    submission = make_stored(make_team(), make_cactus_benchmark(), files)
    read_and_compare(submission)
    (pair,) = found_in(submission)["near-clones"]
    assert (pair["run"], pair["other"]) == (f"0/{NUMBERS}", f"1/{NUMBERS}")


def test_runs_that_hardly_changed_since_an_earlier_submission_are_found() -> None:
    benchmark, organisation = make_cactus_benchmark(), make_organisation()
    first = make_stored(make_team(organisation), benchmark, {"0": cactus(1)}, confirmed_at=EARLIER)
    second = make_stored(make_team(organisation), benchmark, {"0": cactus(1, 1e-5), "1": cactus(2)})
    for each in (first, second):
        read_all(each)
    for each in (first, second):
        assert compare(each, NOW)
    assert list(found_in(second)) == ["near-earlier"]
    assert found_in(first) == {}  # what came later is none of its business


def test_constants_and_the_sample_are_not_compared(tmp_path: Path) -> None:
    benchmark = make_cactus_benchmark()
    constant = cactus(1).split(b"\n")
    constant = b"\n".join([constant[0], *(row.split(b",")[0] + b",0.5" for row in constant[1:-1]), b""])
    sample = print_of(tmp_path, NUMBERS, cactus(4))
    SampleFingerprint.objects.create(
        competition_id=NUMBERS, version=VERSION, content=sample.content, sketch=sample.sketch
    )
    files = {"0": constant, "1": cactus(4, 1e-4), "2": b"no csv"}
    first, second = (make_stored(make_team(), benchmark, files) for _ in range(2))
    read_and_compare(first)
    likeness = read_and_compare(second)
    assert not Finding.objects.exists()
    assert likeness.left_out == {
        "every row alike": 1,
        "near the sample submission": 1,
        "unreadable": 1,
    }


def test_what_lies_in_blocks_is_found_as_what_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stock, "BLOCK", 2)
    benchmark = make_cactus_benchmark()
    for team in range(3):
        read_and_compare(make_stored(make_team(), benchmark, {"0": cactus(team), "1": cactus(team + 50)}))
    second = make_stored(make_team(), benchmark, {"0": cactus(0, 1e-4)})
    read_and_compare(second)
    assert list(found_in(second)) == ["near-duplicates"]
    assert FingerprintBlock.objects.count() == 3
    loaded = stock.load_stock(NUMBERS)
    prints = Fingerprint.objects.order_by("pk").values_list("pk", "organisation_id", "sketch")
    assert list(zip(loaded.numbers.tolist(), loaded.owners.tolist(), strict=True)) == [
        (pk, owner) for pk, owner, _ in prints
    ]
    assert [bytes(sketch) for _, _, sketch in prints] == [each.tobytes() for each in loaded.sketches]


def test_loading_takes_two_queries_however_many_there_are(
    django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark = make_cactus_benchmark()
    read_and_compare(make_stored(make_team(), benchmark, {str(seed): cactus(seed) for seed in range(6)}))
    past_django: list[object] = []  # Where PostgreSQL is asked for bytes as they are.
    execute = psycopg.Cursor.execute

    def counted(cursor: Any, query: Any, *values: Any, **words: Any) -> Any:
        past_django.extend([query] if type(cursor) is psycopg.Cursor else [])
        return execute(cursor, query, *values, **words)

    monkeypatch.setattr(psycopg.Cursor, "execute", counted)
    in_django = 0 if connection.vendor == "postgresql" else 2
    with django_assert_num_queries(in_django):
        assert len(stock.load_stock(NUMBERS)) == 6
    assert in_django + len(past_django) == 2


def test_a_file_is_read_once_for_each_competition() -> None:
    benchmark, team = make_cactus_benchmark(), make_team()
    first = make_stored(team, benchmark, {"0": cactus(1), "1": cactus(1)})
    second = make_stored(team, benchmark, {"0": cactus(1)})
    for each in (first, second):
        read_all(each)
    assert Fingerprint.objects.count() == 1


def test_checkpoints_are_no_runs() -> None:
    submission = make_stored(make_team(), make_cactus_benchmark(), {"0": cactus(1)})
    make_run(submission, "0", NUMBERS, checkpoint_hours=1.0)
    read_all(submission)
    assert Fingerprint.objects.count() == 1


def test_a_turn_ends_after_its_time_and_the_next_goes_on() -> None:
    submission = make_stored(make_team(), make_cactus_benchmark(), {"0": cactus(1), "1": cactus(2)})
    Likeness.objects.create(submission=submission)
    for done in (False, True):
        claim = claim_reading(str(submission.public_id), NOW)
        assert claim
        assert read_some(claim, NOW, seconds=0) is done
    assert Fingerprint.objects.count() == 2
    assert Likeness.objects.get().state == State.READ


def test_only_one_worker_holds_it_and_a_lost_one_is_taken_over() -> None:
    submission = make_stored(make_team(), make_cactus_benchmark(), {"0": cactus(1)})
    public_id = str(submission.public_id)
    Likeness.objects.create(submission=submission)
    first = claim_reading(public_id, NOW)
    assert first
    assert claim_reading(public_id, NOW) is None
    later = NOW + reading.LEASE + timedelta(seconds=1)
    second = claim_reading(public_id, later)
    assert second
    assert not read_some(first, NOW)  # its token is out of date
    assert read_some(second, later)


def test_a_file_that_is_not_there_is_tried_again_and_then_given_up() -> None:
    submission = make_stored(make_team(), make_cactus_benchmark(), {"0": cactus(1)})
    storages["blobs"].delete(submission.runs.get().blob.key)
    Likeness.objects.create(submission=submission)
    states = []
    for _ in range(reading.ATTEMPTS):
        read(str(submission.public_id))
        states.append(Likeness.objects.get().state)
    assert states == [State.DUE] * (reading.ATTEMPTS - 1) + [State.FAILED]
    read(str(submission.public_id))
    assert Likeness.objects.get().state == State.FAILED


@pytest.mark.parametrize(("attempts", "pause_s"), [(1, 2), (2, 10), (3, 60)])
def test_what_failed_is_rung_again_after_a_pause(attempts: int, pause_s: int) -> None:
    submission = make_stored(make_team(), make_cactus_benchmark(), {"0": cactus(1)})
    Likeness.objects.create(submission=submission, attempts=attempts - 1, rung_at=NOW)
    claim = claim_reading(str(submission.public_id), NOW)
    assert claim
    give_back(claim, NOW)
    due = NOW + timedelta(seconds=pause_s)
    assert take_unrung(due - timedelta(seconds=1), unread(due)) == []
    assert take_unrung(due + timedelta(seconds=1), unread(due)) == [submission.public_id]


def test_workers_that_die_without_a_word_are_given_up() -> None:
    submission = make_stored(make_team(), make_cactus_benchmark(), {"0": cactus(1)})
    Likeness.objects.create(submission=submission, attempts=reading.ATTEMPTS)
    claim = claim_reading(str(submission.public_id), NOW)
    assert claim
    assert claim.is_spent
    give_back(claim, NOW)
    assert Likeness.objects.get().state == State.FAILED


def test_comparing_twice_tells_once(monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = make_cactus_benchmark()
    read_all(make_stored(make_team(), benchmark, {"0": cactus(1)}))
    second = make_stored(make_team(), benchmark, {"0": cactus(1, 1e-4)})
    read_all(second)
    search = comparing.search_all

    def search_while_another_ends(submission: Submission) -> Any:
        monkeypatch.setattr(comparing, "search_all", search)
        assert compare(submission, NOW)
        return search(submission)

    monkeypatch.setattr(comparing, "search_all", search_while_another_ends)
    assert not compare(second, NOW)
    assert not compare(second, NOW)
    assert Finding.objects.count() == 1


TAKEN = {
    Status.QUEUED: False, Status.GRADING: True, Status.GRADED: True, Status.IN_REVIEW: True, Status.PUBLISHED: False,
    Status.WITHDRAWN: False,
}  # fmt: skip


@pytest.mark.parametrize(("status", "is_taken"), TAKEN.items())
def test_the_sweep_takes_in_what_is_on_record(status: str, is_taken: bool) -> None:
    make_submission(benchmark=make_benchmark(), status=status, scope="low")
    assert take_in(reading.ON_RECORD) == is_taken
    assert take_in(reading.ON_RECORD) == 0
    assert take_in([Status.PUBLISHED]) == (status == Status.PUBLISHED)


def test_the_sweep_rings_for_what_waits(rings: list[Any], django_capture_on_commit_callbacks: Any) -> None:
    waits, compared = (make_submission(status=Status.GRADED, scope="low") for _ in range(2))
    Likeness.objects.create(submission=compared, state=State.READ)
    with django_capture_on_commit_callbacks(execute=True):
        sweep()
        sweep()  # rung lately
    assert rings == [
        ("leaderboard.fingerprints.tasks.read", (str(waits.public_id),)),
        ("leaderboard.fingerprints.tasks.compare", (str(compared.public_id),)),
    ]


def test_done_and_failed_ones_are_not_rung_for() -> None:
    for state in (State.DONE, State.FAILED):
        Likeness.objects.create(submission=make_submission(status=Status.GRADED, scope="low"), state=state)
    assert take_unrung(NOW, unread(NOW)) == take_unrung(NOW, Q(state=State.READ)) == []
