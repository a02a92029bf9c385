"""The chain of decisions as a rule, and that nothing on record changes or vanishes unseen."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from leaderboard.integrity import ledger
from leaderboard.integrity.chain import Link, hash_record, verify_chain
from leaderboard.integrity.decide import (
    DecisionRefused,
    Grounds,
    answer_flag,
    flag_entry,
    move_entry,
    publish,
)
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.integrity.models import ChainHead, DecisionIsPermanent
from leaderboard.models import Decision, Entry, Flag
from submissions.models import Submission, User
from tests import factories as make
from tests.leaderboard.test_decide import status_of, track

Status = Submission.Status
Kind = Decision.Kind
NOW = make.NOW
GROUNDS = Grounds("The run card is complete.", "Tracks, 1. Clean", "https://example.org/evidence")
OTHER = Grounds("The logs show the grading command.", "Tracks, 3. Additional", "https://example.org/logs")


# The chain, without a database.


def chain(count: int) -> list[Link]:
    links: list[Link] = []
    for number in range(1, count + 1):
        previous = links[-1].hash if links else ""
        record = {"reason": f"reason {number}"}
        links.append(Link(number, record, previous, hash_record(record, previous)))
    return links


def edit(links: list[Link]) -> Sequence[Link]:
    return [links[0], replace(links[1], record={"reason": "another"}), *links[2:]]


def edit_and_rehash(links: list[Link]) -> Sequence[Link]:
    record = {"reason": "another"}
    edited = replace(links[1], record=record, hash=hash_record(record, links[1].previous_hash))
    return [links[0], edited, *links[2:]]


def swap(links: list[Link]) -> Sequence[Link]:
    return [links[1], links[0], *links[2:]]


@pytest.mark.parametrize(
    ("tamper", "numbers"),
    [
        (lambda links: links, []),
        (lambda links: [], []),
        (edit, [2]),
        (edit_and_rehash, [3]),
        (lambda links: links[1:], [2]),
        (lambda links: [links[0], *links[2:]], [3]),
        (swap, [2, 1, 3]),
    ],
)
def test_the_chain_shows_what_was_done_to_it(
    tamper: Callable[[list[Link]], Sequence[Link]], numbers: list[int]
) -> None:
    assert [found.number for found in verify_chain(tamper(chain(4)))] == numbers


def test_a_hash_covers_every_value_and_the_one_before() -> None:
    assert hash_record({"a": 1, "b": "ä"}, "x") == hash_record({"b": "ä", "a": 1}, "x")
    different = [({"a": 2, "b": "ä"}, "x"), ({"a": 1, "b": "ä"}, "y"), ({"a": 1}, "x")]
    assert len({hash_record(record, previous) for record, previous in different}) == 3


# What is on record stays.


def test_no_code_changes_a_decision(published: Entry) -> None:
    decision = Decision.objects.get()
    for attempt in (
        decision.save,
        decision.delete,
        Decision.objects.all().delete,
        lambda: Decision.objects.update(reason="x"),
        lambda: Decision.objects.bulk_update([decision], ["reason"]),
    ):
        with pytest.raises(DecisionIsPermanent):
            attempt()


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE leaderboard_decision SET reason = 'kind words' WHERE id = {first}", "{first} was edited"),
        (
            "UPDATE leaderboard_decision SET effective_at = '2020-01-01' WHERE id = {last}",
            "{last} was edited",
        ),
        (
            "UPDATE leaderboard_decision SET decided_by_id = NULL, kind = 'import' WHERE id = {first}",
            "was edited",
        ),
        ("DELETE FROM leaderboard_decision WHERE id = {middle}", "{last} does not follow the one before it"),
        ("DELETE FROM leaderboard_decision WHERE id = {middle}", "{middle} was deleted or replaced"),
        ("DELETE FROM leaderboard_decision WHERE id = {last}", "{last} was deleted or replaced"),
        ("UPDATE leaderboard_placement SET track_id = {other}", "placed the entry elsewhere"),
        ("DELETE FROM leaderboard_placement", "{first} has not exactly one placement"),
    ],
)
def test_editing_by_sql_is_detected(published: Entry, maintainer: User, sql: str, says: str) -> None:
    Flag.objects.create(
        entry=published, raised_by=maintainer, reason="r", rule="r", evidence_url=OTHER.evidence_url
    )
    first = Decision.objects.get()
    middle = answer_flag(Flag.objects.get(), True, OTHER, maintainer, NOW)
    last = flag_entry(published, OTHER, maintainer, NOW)
    call_command("verify_decisions")
    Flag.objects.all().delete()  # They would keep the decisions from being deleted.
    other = track("additional").pk
    numbers = {"first": first.pk, "middle": middle.pk, "last": last.pk, "other": other}
    with connection.cursor() as cursor:
        cursor.execute(sql.format(**numbers))
    with pytest.raises(CommandError, match=says.format(**numbers)):
        call_command("verify_decisions")


def delete(decision: Decision) -> None:
    with connection.cursor() as cursor:
        for table in ("flag", "placement"):
            cursor.execute(f"DELETE FROM leaderboard_{table} WHERE decision_id = %s", [decision.pk])
        cursor.execute("DELETE FROM leaderboard_decision WHERE id = %s", [decision.pk])


def test_the_newest_decision_without_an_event_cannot_vanish(maintainer: User) -> None:
    """Imported entries have no submission to remember their decisions; the head of the chain does."""
    imported = make.make_placed(benchmark=make.make_benchmark("mle", splits={"easy": "low"}))
    last = move_entry(imported, track("additional"), OTHER, maintainer, NOW)
    assert verify_decisions() == []
    delete(last)
    with pytest.raises(CommandError, match=f"Decision {last.pk} is not where the chain ends now"):
        call_command("verify_decisions")
    # Nor does an honest decision after it heal what is missing.
    flag_entry(imported, OTHER, maintainer, NOW)
    with pytest.raises(CommandError, match="is the newest of 2 decisions, but 3 were recorded"):
        call_command("verify_decisions")


def test_all_decisions_cannot_vanish(db: None) -> None:
    delete(Decision.objects.get(entry=make.make_placed()))
    with pytest.raises(CommandError, match="is the newest of 0 decisions, but 1 were recorded"):
        call_command("verify_decisions")


def test_a_head_that_was_deleted_is_missed(published: Entry) -> None:
    ChainHead.objects.all().delete()
    with pytest.raises(CommandError, match="is the newest of 1 decisions, but 0 were recorded"):
        call_command("verify_decisions")


# Two at once.


def test_who_loses_a_place_in_the_chain_takes_the_next(
    entry: Entry, maintainer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    make.make_placed(benchmark=make.make_benchmark("other"))
    stale, honest = [""], ledger.newest_hash
    monkeypatch.setattr(ledger, "newest_hash", lambda: stale.pop() if stale else honest())
    publish(entry, track("clean"), GROUNDS, maintainer, NOW)
    assert stale == []
    assert Decision.objects.count() == 2
    assert verify_decisions() == []


def test_who_loses_every_time_is_told(
    entry: Entry, maintainer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    make.make_placed(benchmark=make.make_benchmark("other"))
    monkeypatch.setattr(ledger, "newest_hash", lambda: "")
    with pytest.raises(DecisionRefused, match="decided at the same moment"):
        publish(entry, track("clean"), GROUNDS, maintainer, NOW)
    assert status_of(entry) == Status.IN_REVIEW
