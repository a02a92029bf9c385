"""Decisions: the chain as a rule, then what maintainers may do, in what order, and what each leaves behind."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from leaderboard.integrity.correcting import supersede
from leaderboard.integrity.decide import (
    DecidedAlready,
    DecisionRefused,
    Grounds,
    answer_flag,
    flag_entry,
    move_entry,
    publish,
    raise_flag,
    withdraw_entry,
)
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.models import Decision, Entry, Flag, Placement, Track
from submissions.models import Submission, User
from tests import factories as make
from tests.leaderboard.standings import find_standings, standing_of

Status = Submission.Status
Kind = Decision.Kind
NOW = make.NOW
GROUNDS = Grounds("The run card is complete.", "Tracks, 1. Clean", "https://example.org/evidence")
OTHER = Grounds("The logs show the grading command.", "Tracks, 3. Additional", "https://example.org/logs")


# What maintainers do.


def track(slug: str) -> Track:
    return Track.objects.get(slug=slug)


def shown_on(entry: Entry) -> set[str]:
    return {standing.track for standing in find_standings(entry)}


def status_of(entry: Entry) -> str:
    return Submission.objects.get(entry=entry).status


def test_publishing_places_shows_and_records(entry: Entry, maintainer: User) -> None:
    decision = publish(entry, track("no-private-lb"), GROUNDS, maintainer, NOW)
    assert (decision.kind, decision.track, decision.decided_by) == (
        Kind.PUBLISH,
        track("no-private-lb"),
        maintainer,
    )
    assert decision.reason.startswith(GROUNDS.reason)
    assert (decision.rule, decision.evidence_url) == (GROUNDS.rule, GROUNDS.evidence_url)
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
    row = standing_of(published, "additional", "low").row
    assert row["warning"] == {
        "reason": OTHER.reason,
        "evidence_url": OTHER.evidence_url,
        "evidence_note": "",
        "decision": decision.pk,
        "candour": "",
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

    monkeypatch.setattr("leaderboard.integrity.deciding.refresh_standings", fail)
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


# What was seen.

AGAIN: dict[str, Callable[[Entry, User, int], Decision]] = {
    "move": lambda entry, by, seen: move_entry(entry, track("additional"), OTHER, by, NOW, seen),
    "withdraw": lambda entry, by, seen: withdraw_entry(entry, OTHER, by, NOW, seen),
    "flag": lambda entry, by, seen: flag_entry(entry, OTHER, by, NOW, seen),
}


@pytest.mark.parametrize("kind", AGAIN)
def test_the_same_decision_in_view_of_the_same_is_made_once(
    published: Entry, maintainer: User, kind: str
) -> None:
    seen = Decision.objects.get().pk
    decision = AGAIN[kind](published, maintainer, seen)
    with pytest.raises(DecidedAlready, match=f"by decision {decision.pk}; nothing was changed"):
        AGAIN[kind](published, maintainer, seen)
    with pytest.raises(DecisionRefused, match=f"Decision {decision.pk} was made since") as refused:
        AGAIN[kind](published, make.make_maintainer(), seen)
    assert not isinstance(refused.value, DecidedAlready)
    assert Decision.objects.filter(kind=kind).count() == 1


def test_an_opposite_move_in_view_of_the_same_is_refused(published: Entry, maintainer: User) -> None:
    seen = Decision.objects.get().pk
    move_entry(published, track("additional"), OTHER, maintainer, NOW, seen)
    with pytest.raises(DecisionRefused, match="was made since you opened this form"):
        move_entry(published, track("no-private-lb"), OTHER, maintainer, NOW, seen)
    assert shown_on(published) == {"additional", "all"}


def test_an_answer_in_view_of_an_older_decision_is_refused(published: Entry, maintainer: User) -> None:
    flag, seen = raise_flag(published, OTHER, make.make_user(), NOW), Decision.objects.get().pk
    decision = answer_flag(flag, True, GROUNDS, maintainer, NOW, seen)
    with pytest.raises(DecidedAlready, match=f"by decision {decision.pk}"):
        answer_flag(flag, True, GROUNDS, maintainer, NOW, seen)
    with pytest.raises(DecisionRefused, match="was made since"):
        answer_flag(flag, False, GROUNDS, maintainer, NOW, seen)
    assert Decision.objects.count() == 2


def test_the_same_words_for_two_flags_are_two_answers(published: Entry, maintainer: User) -> None:
    flags = [raise_flag(published, OTHER, make.make_user(), NOW) for _ in range(2)]
    seen = Decision.objects.get().pk
    answer_flag(flags[0], False, GROUNDS, maintainer, NOW, seen)
    with pytest.raises(DecisionRefused, match="Look at the entry again"):
        answer_flag(flags[1], False, GROUNDS, maintainer, NOW, seen)
    assert answer_flag(flags[1], False, GROUNDS, maintainer, NOW, seen + 1)


def test_publishing_in_view_of_nothing(entry: Entry, maintainer: User) -> None:
    publish(entry, track("clean"), GROUNDS, maintainer, NOW, seen=0)
    with pytest.raises(DecidedAlready):
        publish(entry, track("clean"), GROUNDS, maintainer, NOW, seen=0)
    assert Decision.objects.count() == 1


def test_the_same_flag_of_the_same_person_is_one(published: Entry) -> None:
    user = make.make_user()
    assert raise_flag(published, OTHER, user, NOW) == raise_flag(published, OTHER, user, NOW)
    assert raise_flag(published, OTHER, make.make_user(), NOW).raised_by != user
    assert Flag.objects.count() == 2


# Superseding.


def test_superseding_corrects_the_grounds_and_keeps_the_track(published: Entry, maintainer: User) -> None:
    first = Decision.objects.get()
    new = supersede(first, OTHER, maintainer, NOW)
    assert (new.kind, new.supersedes, new.track) == (Kind.PUBLISH, first, track("clean"))
    assert Decision.objects.get(pk=first.pk).superseded_by == new
    assert shown_on(published) == {"clean", "no-private-lb", "all"}
    with pytest.raises(DecidedAlready, match=f"by decision {new.pk}"):
        supersede(first, OTHER, maintainer, NOW)
    with pytest.raises(DecisionRefused, match=f"Decision {new.pk} stands in its place"):
        supersede(first, GROUNDS, maintainer, NOW)


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


def test_publishing_against_the_proposal_is_said_in_public(maintainer: User) -> None:
    entry = make.make_reviewed(
        make.make_graded_submission(
            {"0": {"easy": 0.95}}, benchmark=make.make_benchmark("bench", {"easy": "low"})
        )
    )
    on_clean = publish(entry, track("clean"), GROUNDS, maintainer, NOW)
    assert on_clean.reason == f"{GROUNDS.reason}\n\nThe site's checks had proposed Additional."
