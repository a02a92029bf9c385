"""Moving pins: what a plan says, that a decision does just that, and what it leaves on record."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
from django.db import connection

from grading.lanes import join_lane
from grading.models import Competition, Grading
from leaderboard.integrity.correcting import supersede
from leaderboard.integrity.decide import withdraw_entry
from leaderboard.integrity.deciding import DecidedAlready, DecisionRefused
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.integrity.models import DecisionIsPermanent
from leaderboard.integrity.repin import Chosen, move_all_pins, move_pins
from leaderboard.integrity.repin_plan import Target, plan_repin, plan_repins
from leaderboard.models import Decision, Entry, EntryResult, PinMove, Restatement
from leaderboard.pins import Behind, find_behind, find_medal_changes
from submissions.models import User
from tests import factories as make
from tests.leaderboard.boards import GROUNDS, make_published
from tests.leaderboard.repins import add_grading, make_regradable, pins_of, regrade_with_new_answers, run_of
from tests.leaderboard.standings import standing_of

pytestmark = pytest.mark.django_db
NOW = make.NOW + timedelta(days=1)
NEWEST = Target()


@pytest.fixture
def entry() -> Entry:
    return make_regradable()


def newest_decision(entry: Entry) -> int:
    return entry.decisions.latest("pk").pk


def shown(entry: Entry) -> dict[str, object]:
    row = standing_of(entry, "clean", "low").row
    return {"any_medal": row["any_medal"]["low"]["mean"], "gold": row["gold"]["count"]}


# Plans.


def test_nothing_moves_where_nothing_is_newer(entry: Entry) -> None:
    plan = plan_repin(entry, NEWEST)
    assert (plan.moves, plan.results, plan.restatements, plan.waiting) == ((), (), (), 0)
    assert find_behind() == []


def test_a_plan_names_every_run_and_figure_that_would_change(entry: Entry) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85, "s2": 0.75, "s3": 0.85})
    plan = plan_repin(entry, NEWEST)
    assert [(m.before.seed, m.before.medal, m.after.medal, m.after.score) for m in plan.moves] == [
        ("s1", "gold", "silver", 0.85),
        ("s2", "none", "bronze", 0.75),
        ("s3", "silver", "silver", 0.85),
    ]
    assert [row.run.seed for row in plan.to_rows() if row.changes_result] == ["s1", "s2"]
    figures = {(r.split, r.figure): (r.before, r.after) for r in plan.restatements}
    assert figures["low", "any_medal_mean"] == (pytest.approx(50.0), pytest.approx(200 / 3))
    assert figures["low", "gold_mean"] == (pytest.approx(100 / 6), 0.0)
    assert ("low", "valid_mean") not in figures
    assert find_behind() == [Behind("low-a", 3, 1)]


def test_a_plan_writes_nothing(entry: Entry) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    before = pins_of(entry)
    plan_repin(entry, NEWEST)
    assert pins_of(entry) == before
    assert not Restatement.objects.exists()


@pytest.mark.parametrize(
    ("target", "score"),
    [
        (NEWEST, 0.6),
        (Target("low-a"), 0.6),
        (Target("low-a", answers=1), 0.85),
        (Target("low-a", answers=2), 0.6),
        (Target("low-a", answers=3), 0.95),
        (Target("low-b"), 0.95),
    ],
)
def test_the_newest_answers_count_unless_others_are_named(entry: Entry, target: Target, score: float) -> None:
    for value in (0.85, 0.6):
        regrade_with_new_answers(entry, "low-a", {"s1": value})
    moved = {m.before.seed: m.after.score for m in plan_repin(entry, target).moves}
    assert moved.get("s1", 0.95) == score


@pytest.mark.parametrize(
    ("outcome", "moves"),
    [("grader_error", 0), ("timed_out", 0), ("out_of_memory", 0), ("invalid", 1)],
)
def test_a_bad_day_of_the_machine_is_nothing_to_move_to(entry: Entry, outcome: str, moves: int) -> None:
    add_grading(run_of(entry, "s1", "low-a"), outcome=outcome)
    assert len(plan_repin(entry, NEWEST).moves) == moves
    assert bool(find_behind()) is bool(moves)


def test_a_run_that_failed_by_our_fault_moves_to_its_score() -> None:
    entry = make_regradable({"s1": {"low-a": None, "low-b": 0.95}})
    Grading.objects.filter(pk=run_of(entry, "s1", "low-a").grading_id).update(outcome="grader_error")
    entry.runs.filter(competition="low-a").update(outcome="grader_error")
    add_grading(run_of(entry, "s1", "low-a"), 0.95)
    (move,) = plan_repin(entry, NEWEST).moves
    assert (move.before.outcome, move.after.outcome, move.after.medal) == ("grader_error", "scored", "gold")


def test_gradings_that_are_not_done_are_waited_for(entry: Entry) -> None:
    add_grading(run_of(entry, "s1", "low-a"), 0.8)
    Grading.objects.filter(repeat=1).update(
        state="queued", outcome="", score=None, graded_at=None, lane=join_lane("", Grading.Priority.REGRADE)
    )
    plan = plan_repin(entry, NEWEST)
    assert (plan.moves, plan.waiting) == ((), 1)
    assert plan_repin(entry, Target("low-b")).waiting == 0


def test_plans_of_many_entries_take_no_more_queries(
    entry: Entry, django_assert_num_queries: Callable[..., AbstractContextManager[object]]
) -> None:
    others = [make_published(entry.benchmark, {"s1": {"low-a": 0.95}}) for _ in range(3)]
    for each in (entry, *others):
        add_grading(run_of(each, "s1", "low-a"), 0.5)
    for entries in ([entry], [entry, *others]):
        with django_assert_num_queries(7):
            plans = plan_repins(entries, NEWEST)
        assert [len(plan.moves) for plan in plans.values()] == [1] * len(entries)


# The decision.


def test_a_decision_moves_the_pins_and_all_that_follows_from_them(entry: Entry, maintainer: User) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85, "s2": 0.75, "s3": 0.85})
    assert shown(entry) == {"any_medal": pytest.approx(50.0), "gold": 1}
    plan = plan_repin(entry, NEWEST)
    decision = move_pins(entry, NEWEST, GROUNDS, maintainer, NOW, newest_decision(entry), plan.effect)
    assert (decision.kind, decision.effect, decision.decided_by) == ("repin", plan.effect, maintainer)
    run = run_of(entry, "s2", "low-a")
    assert (run.score, run.medal, run.above_median) == (0.75, "bronze", True)
    assert run.grading.answers.number == 1
    assert EntryResult.objects.get(entry=entry, split="low").any_medal_mean == pytest.approx(200 / 3)
    assert shown(entry) == {"any_medal": pytest.approx(200 / 3), "gold": 0}
    assert verify_decisions() == []
    assert find_behind() == []
    assert entry.submission.events.filter(kind="decision").last().detail["hash"] == decision.hash


def test_everything_is_recorded_with_where_it_stood(entry: Entry, maintainer: User) -> None:
    old = run_of(entry, "s1", "low-a").grading
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    decision = move_pins(entry, NEWEST, GROUNDS, maintainer, NOW)
    move = PinMove.objects.get(decision=decision)
    assert (move.grading_before, move.score_before, move.medal_before) == (old, 0.95, "gold")
    assert (move.grading_after.answers.number, move.score_after, move.medal_after) == (1, 0.85, "silver")
    assert move.thresholds_before == move.thresholds_after
    gold = Restatement.objects.get(decision=decision, split="low", figure="gold_mean")
    assert (gold.before, gold.after) == (pytest.approx(100 / 6), 0.0)


def test_other_thresholds_alone_change_medals(entry: Entry, maintainer: User) -> None:
    competition = Competition.objects.get(pk="low-a")
    newer = make.make_thresholds(competition, (0.96, 0.9, 0.86, 0.3))
    changes = find_medal_changes(competition, newer)
    assert [(c.run.seed, c.before, c.after) for c in changes] == [
        ("s1", "gold", "silver"),
        ("s3", "silver", "none"),
    ]
    gradings = {run.pk: run.grading_id for run in entry.runs.all()}
    move_pins(entry, NEWEST, GROUNDS, maintainer, NOW)
    assert {run.pk: run.grading_id for run in entry.runs.all()} == gradings
    assert [run.medal for run in entry.runs.filter(competition="low-a")] == ["silver", "none", "none"]
    assert run_of(entry, "s2", "low-a").above_median
    assert run_of(entry, "s2", "low-a").thresholds == newer
    assert find_medal_changes(competition, newer) == []
    assert verify_decisions() == []


def test_older_thresholds_can_be_chosen(entry: Entry, maintainer: User) -> None:
    make.make_thresholds(Competition.objects.get(pk="low-a"), (0.96, 0.9, 0.86, 0.3))
    move_pins(entry, NEWEST, GROUNDS, maintainer, NOW)
    move_pins(entry, Target("low-a", thresholds=1), GROUNDS, maintainer, NOW)
    assert [run.medal for run in entry.runs.filter(competition="low-a")] == ["gold", "none", "silver"]
    assert verify_decisions() == []


def test_a_regrade_that_changes_nothing_is_recorded_without_a_restatement(
    entry: Entry, maintainer: User
) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.95})
    decision = move_pins(entry, NEWEST, GROUNDS, maintainer, NOW)
    assert [move.changes_result for move in decision.pin_moves.all()] == [False]
    assert not decision.restatements.exists()
    assert verify_decisions() == []


# Refusals: nothing is written.


def check_untouched(entry: Entry, before: list[tuple[object, ...]]) -> None:
    assert pins_of(entry) == before
    assert not PinMove.objects.exists()
    assert not Decision.objects.filter(kind="repin").exists()


def test_nothing_to_move_is_no_decision(entry: Entry, maintainer: User) -> None:
    before = pins_of(entry)
    with pytest.raises(DecisionRefused, match="stands there already"):
        move_pins(entry, NEWEST, GROUNDS, maintainer, NOW)
    check_untouched(entry, before)


def test_what_changed_since_the_preview_is_refused(entry: Entry, maintainer: User) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    effect, before = plan_repin(entry, NEWEST).effect, pins_of(entry)
    add_grading(run_of(entry, "s2", "low-a"), 0.99)
    with pytest.raises(DecisionRefused, match="changed since you looked"):
        move_pins(entry, NEWEST, GROUNDS, maintainer, NOW, previewed=effect)
    check_untouched(entry, before)


def test_nobody_moves_pins_of_their_own_organisation(entry: Entry, maintainer: User) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    make.make_team(entry.agent.organisation, members=[maintainer])
    before = pins_of(entry)
    with pytest.raises(DecisionRefused, match="Another maintainer must decide"):
        move_pins(entry, NEWEST, GROUNDS, maintainer, NOW)
    check_untouched(entry, before)


def test_who_is_no_maintainer_moves_nothing(entry: Entry) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    before = pins_of(entry)
    with pytest.raises(DecisionRefused, match="Only a maintainer"):
        move_pins(entry, NEWEST, GROUNDS, make.make_user(), NOW)
    check_untouched(entry, before)


def test_the_same_form_sent_again_is_done_already(entry: Entry, maintainer: User) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    seen, effect = newest_decision(entry), plan_repin(entry, NEWEST).effect
    move_pins(entry, NEWEST, GROUNDS, maintainer, NOW, seen, effect)
    with pytest.raises(DecidedAlready):
        move_pins(entry, NEWEST, GROUNDS, maintainer, NOW, seen, effect)
    assert PinMove.objects.count() == 1


def test_pins_of_withdrawn_and_unpublished_entries_stay(entry: Entry, maintainer: User) -> None:
    waiting = make.make_reviewed(
        make.make_graded_submission({"s1": {"low-a": 0.95}}, benchmark=entry.benchmark)
    )
    for each in (entry, waiting):
        regrade_with_new_answers(each, "low-a", {"s1": 0.85})
    withdraw_entry(entry, GROUNDS, maintainer, NOW)
    with pytest.raises(DecisionRefused, match="withdrawn for good"):
        move_pins(entry, NEWEST, GROUNDS, maintainer, NOW)
    with pytest.raises(DecisionRefused, match="Publish it first"):
        move_pins(waiting, NEWEST, GROUNDS, maintainer, NOW)
    assert find_behind() == []
    assert not PinMove.objects.exists()


# Many at once.


def choose(entry: Entry, target: Target) -> Chosen:
    return Chosen(entry, newest_decision(entry), plan_repin(entry, target).effect)


def test_each_of_many_entries_gets_its_own_decision(entry: Entry, maintainer: User) -> None:
    other = make_published(entry.benchmark, {"s1": {"low-a": 0.95}})
    own = make_published(entry.benchmark, {"s1": {"low-a": 0.95}})
    make.make_team(own.agent.organisation, members=[maintainer])
    for each in (entry, other, own):
        regrade_with_new_answers(each, "low-a", {"s1": 0.5})
    target = Target("low-a")
    chosen = [choose(each, target) for each in (entry, other, own)]
    made, also, refused = move_all_pins(chosen, target, GROUNDS, maintainer, NOW)
    assert made.decision.entry == entry
    assert also.decision.entry == other
    assert refused.decision is None
    assert "Another maintainer must decide" in refused.refusal
    assert run_of(other, "s1", "low-a").score == 0.5
    assert run_of(own, "s1", "low-a").score == 0.95
    assert shown(other)["any_medal"] == 0
    assert verify_decisions() == []
    again = move_all_pins(chosen[:2], target, GROUNDS, maintainer, NOW)
    assert [moved.decision for moved in again] == [None, None]
    assert Decision.objects.filter(kind="repin").count() == 2


# Append-only, and covered by the chain.


@pytest.mark.parametrize("model", [PinMove, Restatement])
def test_what_was_moved_is_never_changed(entry: Entry, maintainer: User, model: type) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    move_pins(entry, NEWEST, GROUNDS, maintainer, NOW)
    row = model.objects.first()
    for change in (row.save, row.delete, model.objects.all().delete, lambda: model.objects.update(pk=7)):
        with pytest.raises(DecisionIsPermanent):
            change()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE leaderboard_pinmove SET score_before = 0.1", "moved other pins"),
        ("UPDATE leaderboard_restatement SET before = 1", "moved other pins"),
        ("DELETE FROM leaderboard_restatement", "moved other pins"),
        ("UPDATE leaderboard_decision SET effect = '' WHERE kind = 'repin'", "was edited"),
        (
            "UPDATE leaderboard_entryrun SET score = 0.99 WHERE seed = 's1' AND competition_id = 'low-a'",
            "elsewhere",
        ),
    ],
)
def test_editing_behind_the_back_shows(entry: Entry, maintainer: User, statement: str, said: str) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    number = move_pins(entry, NEWEST, GROUNDS, maintainer, NOW).pk
    with connection.cursor() as cursor:
        cursor.execute(statement)
    breaks = verify_decisions()
    assert breaks
    assert any(each.number == number and said in each.sentence for each in breaks)


def test_superseding_the_grounds_moves_nothing_again(entry: Entry, maintainer: User) -> None:
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85})
    decision = move_pins(entry, NEWEST, GROUNDS, maintainer, NOW)
    before = pins_of(entry)
    newer = supersede(decision, GROUNDS, maintainer, NOW)
    assert (newer.kind, newer.effect) == ("repin", "")
    assert pins_of(entry) == before
    assert verify_decisions() == []
