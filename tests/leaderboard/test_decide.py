"""Decisions: the chain as a rule, then what maintainers may do, in what order, and what each leaves behind."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

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
    raise_flag,
    supersede,
    withdraw_entry,
)
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.integrity.models import DecisionIsPermanent
from leaderboard.models import Decision, Entry, Flag, Placement, Standing, Track
from submissions.models import Submission, User
from tests import factories as make

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


# What maintainers do.


@pytest.fixture
def maintainer(db: None) -> User:
    return make.make_maintainer()


@pytest.fixture
def entry(db: None) -> Entry:
    """In review."""
    benchmark = make.make_benchmark("mle", splits={"easy": "low"})
    return make.make_reviewed(make.make_graded_submission({"0": {"easy": 0.95}}, benchmark=benchmark))


@pytest.fixture
def published(entry: Entry, maintainer: User) -> Entry:
    publish(entry, track("clean"), GROUNDS, maintainer, NOW)
    return entry


def track(slug: str) -> Track:
    return Track.objects.get(slug=slug)


def shown_on(entry: Entry) -> set[str]:
    current = Standing.objects.filter(snapshot__is_current=True, entry=entry)
    return set(current.values_list("track", flat=True))


def status_of(entry: Entry) -> str:
    return Submission.objects.get(entry=entry).status


def test_publishing_places_shows_and_records(entry: Entry, maintainer: User) -> None:
    decision = publish(entry, track("no-private-lb"), GROUNDS, maintainer, NOW)
    assert (decision.kind, decision.track, decision.decided_by) == (
        Kind.PUBLISH,
        track("no-private-lb"),
        maintainer,
    )
    assert (decision.reason, decision.rule, decision.evidence_url) == (
        GROUNDS.reason,
        GROUNDS.rule,
        GROUNDS.evidence_url,
    )
    assert (decision.effective_at, decision.recorded_at) == (NOW, NOW)
    assert Placement.objects.get().decision == decision
    assert status_of(entry) == Status.PUBLISHED
    assert shown_on(entry) == {"no-private-lb", "all"}
    event = entry.submission.events.get(kind="decision")
    assert event.detail == {"number": decision.pk, "hash": decision.hash, "kind": "publish"}
    assert event.actor == maintainer
    assert verify_decisions() == []


def test_moving_changes_the_board_at_once(published: Entry, maintainer: User) -> None:
    decision = move_entry(published, track("additional"), OTHER, maintainer, NOW + timedelta(hours=1))
    assert shown_on(published) == {"additional", "all"}
    row = Standing.objects.get(
        snapshot__is_current=True, entry=published, track="additional", split="low"
    ).row
    assert row["warning"] == {
        "reason": OTHER.reason,
        "evidence_url": OTHER.evidence_url,
        "decision": decision.pk,
    }
    assert status_of(published) == Status.PUBLISHED


def test_withdrawing_is_for_good(published: Entry, maintainer: User) -> None:
    withdraw_entry(published, OTHER, maintainer, NOW)
    assert (shown_on(published), status_of(published)) == (set(), Status.WITHDRAWN)
    assert published.runs.exists()
    for again in (
        lambda: withdraw_entry(published, OTHER, maintainer, NOW),
        lambda: move_entry(published, track("additional"), OTHER, maintainer, NOW),
        lambda: flag_entry(published, OTHER, maintainer, NOW),
        lambda: raise_flag(published, OTHER, maintainer, NOW),
    ):
        with pytest.raises(DecisionRefused, match="withdrawn for good"):
            again()


def test_an_imported_entry_can_be_moved_and_withdrawn(maintainer: User) -> None:
    imported = make.make_placed(benchmark=make.make_benchmark("mle", splits={"easy": "low"}))
    move_entry(imported, track("additional"), OTHER, maintainer, NOW)
    assert shown_on(imported) == {"additional", "all"}
    withdraw_entry(imported, OTHER, maintainer, NOW)
    assert shown_on(imported) == set()


@pytest.mark.parametrize(
    ("grounds", "says"),
    [
        (replace(GROUNDS, reason=" "), "needs a reason"),
        (replace(GROUNDS, rule=""), "needs the rule it applies"),
        (replace(GROUNDS, rule="r" * 201), "200 characters"),
        (replace(GROUNDS, evidence_url=""), "needs a link to the evidence"),
        (replace(GROUNDS, evidence_url="javascript:alert(1)"), "starting with https://"),
        (replace(GROUNDS, evidence_url="https://example.org/" + "a" * 500), "link to the evidence"),
        (Grounds("", "", ""), "a reason, the rule it applies, in 200 characters or fewer, a link"),
    ],
)
def test_every_decision_needs_its_grounds(
    entry: Entry, maintainer: User, grounds: Grounds, says: str
) -> None:
    with pytest.raises(DecisionRefused, match=says):
        publish(entry, track("clean"), grounds, maintainer, NOW)
    nothing_happened(entry)


def nothing_happened(entry: Entry) -> None:
    assert not Decision.objects.exists()
    assert not Placement.objects.exists()
    assert status_of(entry) == Status.IN_REVIEW


def test_nobody_decides_on_their_own_organisation(entry: Entry, maintainer: User) -> None:
    make.make_team(entry.agent.organisation, members=[maintainer])
    with pytest.raises(DecisionRefused, match="Another maintainer must decide"):
        publish(entry, track("clean"), GROUNDS, maintainer, NOW)
    nothing_happened(entry)


def test_only_maintainers_decide(entry: Entry, settings: Any) -> None:
    with pytest.raises(DecisionRefused, match="Only a maintainer"):
        publish(entry, track("clean"), GROUNDS, make.make_user(), NOW)
    settings.REQUIRE_MAINTAINER_TOTP = True
    with pytest.raises(DecisionRefused, match="second factor"):
        publish(entry, track("clean"), GROUNDS, make.make_maintainer(), NOW)
    nothing_happened(entry)


def test_what_is_not_in_review_is_not_published(published: Entry, maintainer: User) -> None:
    with pytest.raises(DecisionRefused, match="The submission is published now"):
        publish(published, track("additional"), OTHER, maintainer, NOW)
    assert Decision.objects.count() == 1
    assert shown_on(published) == {"clean", "no-private-lb", "all"}


def test_an_imported_entry_is_not_published_again(maintainer: User) -> None:
    with pytest.raises(DecisionRefused, match="Move it instead"):
        publish(make.make_placed(), track("clean"), GROUNDS, maintainer, NOW)


def test_what_is_on_no_board_is_not_moved(entry: Entry, maintainer: User) -> None:
    with pytest.raises(DecisionRefused, match="Publish it first"):
        move_entry(entry, track("clean"), GROUNDS, maintainer, NOW)


def test_moving_to_where_it_stands_is_refused(published: Entry, maintainer: User) -> None:
    with pytest.raises(DecisionRefused, match="stands on Clean already"):
        move_entry(published, track("clean"), GROUNDS, maintainer, NOW)


def test_a_decision_that_cannot_be_shown_is_not_made(
    entry: Entry, maintainer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> None:
        raise OSError

    monkeypatch.setattr("leaderboard.integrity.decide.rebuild_standings", fail)
    with pytest.raises(OSError):
        publish(entry, track("clean"), GROUNDS, maintainer, NOW)
    nothing_happened(entry)


# Flags.


def test_a_maintainers_flag_is_a_decision_and_moves_nothing(published: Entry, maintainer: User) -> None:
    decision = flag_entry(published, OTHER, maintainer, NOW)
    flag = Flag.objects.get()
    assert (flag.state, flag.decision, decision.kind) == (Flag.State.UPHELD, decision, Kind.FLAG)
    assert shown_on(published) == {"clean", "no-private-lb", "all"}


def test_anybodys_flag_waits_for_an_answer(published: Entry, maintainer: User) -> None:
    flag = raise_flag(published, OTHER, make.make_user(), NOW)
    assert (flag.state, flag.decision) == (Flag.State.OPEN, None)
    decision = answer_flag(flag, False, GROUNDS, maintainer, NOW)
    assert (flag.state, flag.decision, decision.kind) == (Flag.State.DISMISSED, decision, Kind.DISMISS)
    again = answer_flag(flag, True, OTHER, maintainer, NOW)
    assert (flag.state, again.supersedes) == (Flag.State.UPHELD, decision)


def test_two_answers_at_once(published: Entry, maintainer: User) -> None:
    flag = raise_flag(published, OTHER, make.make_user(), NOW)
    stale = Flag.objects.get(pk=flag.pk)
    answer_flag(flag, True, OTHER, maintainer, NOW)
    with pytest.raises(DecisionRefused, match="answered this flag a moment ago"):
        answer_flag(stale, False, GROUNDS, maintainer, NOW)
    assert Decision.objects.count() == 2


def test_what_is_not_public_cannot_be_flagged_by_others(entry: Entry) -> None:
    with pytest.raises(DecisionRefused, match="on no board"):
        raise_flag(entry, OTHER, make.make_user(), NOW)


# Superseding.


def test_superseding_corrects_the_grounds_and_keeps_the_track(published: Entry, maintainer: User) -> None:
    first = Decision.objects.get()
    new = supersede(first, OTHER, maintainer, NOW)
    assert (new.kind, new.supersedes, new.track) == (Kind.PUBLISH, first, track("clean"))
    assert Decision.objects.get(pk=first.pk).superseded_by == new
    assert shown_on(published) == {"clean", "no-private-lb", "all"}
    with pytest.raises(DecisionRefused, match=f"Decision {first.pk} was superseded already"):
        supersede(first, OTHER, maintainer, NOW)


def test_superseding_with_a_track_moves(published: Entry, maintainer: User) -> None:
    new = supersede(Decision.objects.get(), OTHER, maintainer, NOW, track("additional"))
    assert (new.kind, shown_on(published)) == (Kind.MOVE, {"additional", "all"})


def test_superseding_an_old_placement_does_not_bring_it_back(published: Entry, maintainer: User) -> None:
    first = Decision.objects.get()
    move_entry(published, track("additional"), OTHER, maintainer, NOW)
    assert supersede(first, GROUNDS, maintainer, NOW).track is None
    assert shown_on(published) == {"additional", "all"}
    with pytest.raises(DecisionRefused, match="Move the entry instead"):
        supersede(Decision.objects.order_by("pk").last(), GROUNDS, maintainer, NOW, track("clean"))


def test_superseding_a_flags_answer_keeps_the_flag_with_it(published: Entry, maintainer: User) -> None:
    new = supersede(flag_entry(published, OTHER, maintainer, NOW), GROUNDS, maintainer, NOW)
    assert Flag.objects.get().decision == new
    assert verify_decisions() == []


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
    Flag.objects.all().delete()
    last = flag_entry(published, OTHER, maintainer, NOW)
    Flag.objects.all().delete()
    call_command("verify_decisions")
    other = track("additional").pk
    numbers = {"first": first.pk, "middle": middle.pk, "last": last.pk, "other": other}
    with connection.cursor() as cursor:
        cursor.execute(sql.format(**numbers))
    with pytest.raises(CommandError, match=says.format(**numbers)):
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
