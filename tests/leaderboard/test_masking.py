"""Masks: that a decision takes competitions out of every figure, keeps them shown, and can be undone by another."""

from datetime import timedelta

import pytest
from django.db import connection

from leaderboard.integrity.decide import publish, withdraw_entry
from leaderboard.integrity.deciding import DecidedAlready, DecisionRefused
from leaderboard.integrity.flag_record import details_of
from leaderboard.integrity.flags import answer_flag, raise_flag
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.integrity.masking import lift_masks, mask_competitions, masked_by
from leaderboard.integrity.masking_plan import plan_masks
from leaderboard.integrity.masking_record import masks_after, say_decisions
from leaderboard.integrity.repin import move_pins
from leaderboard.integrity.repin_plan import Target
from leaderboard.models import Decision, Entry, EntryResult, Restatement, Track
from submissions.models import User
from tests import factories as make
from tests.leaderboard.boards import GROUNDS, make_placed, make_published, make_reviewed
from tests.leaderboard.masking import SPLITS, make_maskable, masked_runs, row_of
from tests.leaderboard.repins import add_grading, run_of
from tests.leaderboard.standings import standing_of
from tests.submissions.run_cards import having

pytestmark = pytest.mark.django_db
NOW = make.NOW + timedelta(days=1)


@pytest.fixture
def entry() -> Entry:
    return make_maskable()


def newest_decision(entry: Entry) -> int:
    return entry.decisions.latest("pk").pk


# The record.


@pytest.mark.parametrize(
    ("said", "masks"),
    [
        ([], {}),
        ([{"masked": ["a", "b"]}], {"a": 1, "b": 1}),
        ([{"masked": ["a"]}, {"masked": ["b"]}], {"a": 1, "b": 2}),
        ([{"masked": ["a", "b"]}, {"unmasked": ["a"]}], {"b": 1}),
        ([{"masked": ["a"]}, {"unmasked": ["a"]}, {"masked": ["a"]}], {"a": 3}),
        ([{"masked": ["a"]}, {}, {"claim": "llms"}], {"a": 1}),
        ([{"unmasked": ["a"]}], {}),
    ],
)
def test_what_stands_after_some_decisions(said: list[dict[str, list[str]]], masks: dict[str, int]) -> None:
    assert masks_after(enumerate(said, start=1)) == masks


@pytest.mark.parametrize(
    ("numbers", "words"),
    [([42], "decision 42"), ([57, 42, 42], "decisions 42 and 57"), ([3, 1, 2], "decisions 1, 2 and 3")],
)
def test_decisions_in_words(numbers: list[int], words: str) -> None:
    assert say_decisions(numbers) == words


# Plans.


@pytest.mark.parametrize(
    ("masked", "means"),
    [
        ((), {"low": 75.0, "medium": 0.0, "high": 50.0, "all": 50.0}),
        (("low-a",), {"low": 50.0, "medium": 0.0, "high": 50.0, "all": 100 / 3}),
        (("medium-a",), {"low": 75.0, "high": 50.0, "all": 200 / 3}),
        (("low-a", "low-b"), {"medium": 0.0, "high": 50.0, "all": 25.0}),
        (tuple(SPLITS), {}),
    ],
)
def test_a_plan_has_the_figures_of_what_is_left(
    entry: Entry, masked: tuple[str, ...], means: dict[str, float]
) -> None:
    plan = plan_masks(entry, mask=masked)
    found = {result.split: result.any_medal_mean for result in plan.results}
    assert found == {split: pytest.approx(mean) for split, mean in means.items()}
    assert plan.masked == tuple(sorted(masked))
    assert not Restatement.objects.exists()
    assert masked_runs(entry) == []


def test_a_plan_restates_every_figure_that_changes(entry: Entry) -> None:
    said = {(r.split, r.figure): (r.before, r.after) for r in plan_masks(entry, mask=["low-a"]).restatements}
    assert said["low", "any_medal_mean"] == (75.0, 50.0)
    assert said["low", "gold_mean"] == (50.0, 0.0)
    assert said["all", "valid_mean"] == pytest.approx((87.5, 500 / 6))
    assert not {split for split, _ in said} & {"medium", "high"}


def test_a_split_without_anything_left_is_restated_to_nothing(entry: Entry) -> None:
    said = {(r.split, r.figure): (r.before, r.after) for r in plan_masks(entry, mask=["high-a"]).restatements}
    assert said["high", "any_medal_mean"] == (50.0, None)
    assert said["high", "submitted_mean"] == (100.0, None)


# The decision.


def test_a_decision_masks_the_runs_and_all_that_follows_from_them(entry: Entry, maintainer: User) -> None:
    before = list(entry.runs.order_by("pk").values_list("outcome", "score", "medal", "above_median"))
    decision = mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW, newest_decision(entry))
    assert (decision.kind, decision.details) == ("mask", {"masked": ["low-a"]})
    assert masked_runs(entry) == [("low-a", decision.pk)] * 2
    assert list(entry.runs.order_by("pk").values_list("outcome", "score", "medal", "above_median")) == before
    assert EntryResult.objects.get(entry=entry, split="low").any_medal_mean == 50.0
    row = row_of(entry)
    assert row["any_medal"]["all"]["mean"] == pytest.approx(100 / 3)
    assert row["gold"] == {"mean": pytest.approx(100 / 6), "count": 1}
    assert row["masked"] == {
        "counted": 3,
        "total": 4,
        "text": f"3 of 4 counted, 1 masked by decision {decision.pk}",
        "by": [{"decision": decision.pk, "reason": GROUNDS.reason, "competitions": ["low-a"]}],
    }
    assert row_of(entry, "medium")["masked"] is None
    event = entry.submission.events.filter(kind="decision").last()  # type: ignore[union-attr]
    assert event is not None
    assert event.detail["hash"] == decision.hash
    assert verify_decisions() == []


def test_the_restatements_are_recorded_with_the_decision(entry: Entry, maintainer: User) -> None:
    effect = plan_masks(entry, mask=["low-a"]).effect
    decision = mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW)
    assert decision.effect == effect
    found = decision.restatements.get(split="low", figure="any_medal_mean")
    assert (found.before, found.after) == (75.0, 50.0)


def test_another_decision_counts_them_again(entry: Entry, maintainer: User) -> None:
    before = row_of(entry)
    put = mask_competitions(entry, ["low-a", "high-a"], GROUNDS, maintainer, NOW)
    lifted = lift_masks(entry, ["low-a"], GROUNDS, maintainer, NOW, put.pk)
    assert (lifted.kind, lifted.details) == ("unmask", {"unmasked": ["low-a"]})
    assert masked_runs(entry) == [("high-a", put.pk)] * 2
    assert masked_by(put) == ["high-a"]
    lift_masks(entry, ["high-a"], GROUNDS, maintainer, NOW)
    assert row_of(entry) == before
    assert masked_by(put) == []
    assert verify_decisions() == []


def test_masks_of_several_decisions_are_told_apart(entry: Entry, maintainer: User) -> None:
    one = mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW)
    other = mask_competitions(entry, ["high-a"], GROUNDS, maintainer, NOW)
    assert row_of(entry)["masked"]["text"] == f"2 of 4 counted, 2 masked by decisions {one.pk} and {other.pk}"
    assert [by["competitions"] for by in row_of(entry)["masked"]["by"]] == [["low-a"], ["high-a"]]


def test_where_nothing_is_left_there_is_no_figure_and_no_rank(entry: Entry, maintainer: User) -> None:
    other = make_published(entry.benchmark, {"s1": dict.fromkeys(SPLITS, 0.1)}, scope="all")
    mask_competitions(entry, list(SPLITS), GROUNDS, maintainer, NOW)
    row = row_of(entry)
    assert row["any_medal"] == dict.fromkeys(("low", "medium", "high", "all"))
    assert row["nothing_counted"] == ["low", "medium", "high", "all"]
    assert (row["masked"]["counted"], row["masked"]["total"]) == (0, 4)
    assert row["statistics"]["why_not"].startswith("Every competition of this split is masked")
    assert row_of(other)["nothing_counted"] == []
    standing = standing_of(entry, "clean", "all")
    assert (standing.rank, standing.position) == (None, 2)
    lift_masks(entry, list(SPLITS), GROUNDS, maintainer, NOW)
    assert row_of(entry)["any_medal"]["all"]["mean"] == 50.0


def test_moving_pins_leaves_masked_runs_out(entry: Entry, maintainer: User) -> None:
    mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW)
    add_grading(
        run_of(entry, "s1", "low-a"), 0.1, make.make_answers(run_of(entry, "s1", "low-a").competition)
    )
    decision = move_pins(entry, Target(), GROUNDS, maintainer, NOW)
    assert not decision.restatements.exists()
    assert run_of(entry, "s1", "low-a").medal == "none"
    assert EntryResult.objects.get(entry=entry, split="low").any_medal_mean == 50.0
    lift_masks(entry, ["low-a"], GROUNDS, maintainer, NOW)
    assert EntryResult.objects.get(entry=entry, split="low").any_medal_mean == 50.0
    assert EntryResult.objects.get(entry=entry, split="low").gold_mean == 25.0
    assert verify_decisions() == []


# Flags.


def test_one_decision_masks_and_upholds_the_flag(entry: Entry, maintainer: User) -> None:
    flag = raise_flag(entry, GROUNDS, make.make_user(), NOW)
    decision = mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW, flag=flag)
    assert (flag.state, flag.decision) == ("upheld", decision)
    assert decision.details == {"masked": ["low-a"], **details_of(flag, "upholds_flag")}
    assert row_of(entry)["flags"][0]["decision"] == decision.pk
    assert not decision.is_self_reported


def test_a_report_by_the_team_itself_is_said_to_be_one(entry: Entry, maintainer: User) -> None:
    flag = raise_flag(entry, GROUNDS, make.make_user(), NOW)
    type(flag).objects.filter(pk=flag.pk).update(is_self_reported=True)
    flag.refresh_from_db()
    assert mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW, flag=flag).is_self_reported


def test_a_flag_that_was_dismissed_masks_nothing(entry: Entry, maintainer: User) -> None:
    flag = raise_flag(entry, GROUNDS, make.make_user(), NOW)
    answer_flag(flag, False, GROUNDS, maintainer, NOW)
    with pytest.raises(DecisionRefused, match="was dismissed"):
        mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW, flag=flag)
    check_untouched(entry)


# Refusals: nothing is written.


def check_untouched(entry: Entry) -> None:
    assert masked_runs(entry) == []
    assert not Decision.objects.filter(kind__in=("mask", "unmask")).exists()
    assert not Restatement.objects.exists()


@pytest.mark.parametrize(
    ("competitions", "said"),
    [
        ([], "Choose at least one"),
        (["nothing"], "no run on nothing"),
        (["low-a", "nothing"], "no run on nothing"),
    ],
)
def test_competitions_it_has_not(entry: Entry, maintainer: User, competitions: list[str], said: str) -> None:
    for decide in (mask_competitions, lift_masks):
        with pytest.raises(DecisionRefused, match=said):
            decide(entry, competitions, GROUNDS, maintainer, NOW)
    check_untouched(entry)


def test_what_stands_so_already(entry: Entry, maintainer: User) -> None:
    with pytest.raises(DecisionRefused, match="Not masked: low-a"):
        lift_masks(entry, ["low-a"], GROUNDS, maintainer, NOW)
    check_untouched(entry)
    mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW)
    with pytest.raises(DecisionRefused, match="Masked already: low-a"):
        mask_competitions(entry, ["low-a", "low-b"], GROUNDS, maintainer, NOW)
    assert len(masked_runs(entry)) == 2


def test_what_was_published_elsewhere_has_no_runs_to_mask(entry: Entry, maintainer: User) -> None:
    imported = make_placed(entry.benchmark, "no-private-lb", 50.0)
    with pytest.raises(DecisionRefused, match="was imported"):
        mask_competitions(imported, ["low-a"], GROUNDS, maintainer, NOW)
    check_untouched(imported)


def test_nobody_masks_on_their_own_organisation(entry: Entry, maintainer: User) -> None:
    make.make_team(entry.agent.organisation, members=[maintainer])
    with pytest.raises(DecisionRefused, match="Another maintainer must decide"):
        mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW)
    check_untouched(entry)


def test_who_is_no_maintainer_masks_nothing(entry: Entry) -> None:
    with pytest.raises(DecisionRefused, match="Only a maintainer"):
        mask_competitions(entry, ["low-a"], GROUNDS, make.make_user(), NOW)
    check_untouched(entry)


def test_the_same_form_sent_again_is_done_already(entry: Entry, maintainer: User) -> None:
    seen = newest_decision(entry)
    mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW, seen)
    with pytest.raises(DecidedAlready):
        mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW, seen)
    with pytest.raises(DecisionRefused, match="was made since"):
        mask_competitions(entry, ["low-b"], GROUNDS, maintainer, NOW, seen)
    assert Decision.objects.filter(kind="mask").count() == 1


def test_withdrawn_and_unpublished_entries_are_not_masked(entry: Entry, maintainer: User) -> None:
    waiting = make_reviewed(entry.benchmark, {"s1": {"low-a": 0.95}})
    withdraw_entry(entry, GROUNDS, maintainer, NOW)
    for each, said in ((entry, "withdrawn for good"), (waiting, "Publish it first")):
        with pytest.raises(DecisionRefused, match=said):
            mask_competitions(each, ["low-a"], GROUNDS, maintainer, NOW)
        check_untouched(each)


# Behind the site's back.


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE leaderboard_entryrun SET masked_by_id = NULL WHERE competition_id = 'low-a'",
        "UPDATE leaderboard_entryrun SET masked_by_id = NULL WHERE competition_id = 'low-a' AND seed = 's2'",
        "UPDATE leaderboard_entryrun SET masked_by_id = {number} WHERE competition_id = 'low-b'",
        'UPDATE leaderboard_decision SET details = \'{{"masked": ["low-a", "low-b"]}}\' WHERE id = {number}',
        "UPDATE leaderboard_restatement SET after = 75 WHERE split = 'low' AND figure = 'any_medal_mean'",
        "DELETE FROM leaderboard_restatement WHERE split = 'low'",
    ],
)
def test_editing_behind_the_back_shows(entry: Entry, maintainer: User, statement: str) -> None:
    number = mask_competitions(entry, ["low-a"], GROUNDS, maintainer, NOW).pk
    assert verify_decisions() == []
    with connection.cursor() as cursor:
        cursor.execute(statement.format(number=number))
    assert number in {each.number for each in verify_decisions()}


# By the run card.


def reviewed_with(signal: str, leaks: list[str] | None) -> Entry:
    card = having({"integrity.test_set_signal": signal, "integrity.known_leaks_used": leaks})
    benchmark = make.make_benchmark("bench", SPLITS)
    return make_reviewed(benchmark, {"0": dict.fromkeys(SPLITS, 0.95)}, "all", document=card)


@pytest.mark.parametrize(
    ("signal", "leaks", "track", "masked"),
    [
        ("label_leak", ["low-b"], "no-private-lb", ["low-b"]),
        ("label_leak", ["low-b", "high-a"], "additional", ["high-a", "low-b"]),
        ("none", ["low-b"], "no-private-lb", ["low-b"]),
        ("label_leak", ["somewhere-else"], "no-private-lb", []),
        ("none", [], "clean", []),
        ("score", ["low-b"], "additional", []),
    ],
)
def test_publishing_masks_where_the_run_card_names_leaks(
    maintainer: User, signal: str, leaks: list[str], track: str, masked: list[str]
) -> None:
    entry = reviewed_with(signal, leaks)
    decision = publish(entry, Track.objects.get(slug=track), GROUNDS, maintainer, NOW)
    assert masked_runs(entry) == [(key, decision.pk) for key in masked]
    assert decision.details.get("masked", []) == masked
    assert bool(row_of(entry, track=track)["masked"]) is bool(masked)
    assert not decision.restatements.exists()
    assert verify_decisions() == []
