"""Opening a review: the entry, its pinned runs and figures, its claims; all of it once, or nothing."""

from collections.abc import Mapping
from typing import Any

import pytest

from leaderboard import review, tasks
from leaderboard.fingerprints.reading import take_in
from leaderboard.integrity.checks import CHECKS
from leaderboard.integrity.claims import proposal_for, track_rules
from leaderboard.integrity.proposal import TRACKS
from leaderboard.models import Agent, Claim, Entry, EntryResult, EntryRun, Likeness, Placement, Snapshot
from leaderboard.review import open_review
from submissions.models import Submission
from tests import factories as make
from tests.submissions.run_cards import complete, having

pytestmark = pytest.mark.django_db
Status = Submission.Status
SPLITS = {"easy": "low", "easier": "low", "middle": "medium", "hard": "high", "extra": "dev"}
SEEDS = ("0", "1", "2")

# The example names runs of competitions that these benchmarks do not have.
OWN = {"compute.overrides": None}
HONEST = having(OWN)


def graded(
    scores: Mapping[str, Mapping[str, float | None]] | None = None, scope: str = "low", **columns: Any
) -> Submission:
    """Three seeds on two Low competitions of a benchmark with every split, if not said otherwise."""
    columns.setdefault("document", complete())
    scores = scores or {seed: {"easy": 0.95, "easier": 0.6} for seed in SEEDS}
    return make.make_graded_submission(
        scores, scope=scope, benchmark=make.make_benchmark(splits=SPLITS), **columns
    )


def entry_of(submission: Submission) -> Entry:
    assert open_review(submission, make.NOW)
    return Entry.objects.get(submission=submission)


def test_the_tracks_of_the_database_are_those_of_the_rules() -> None:
    assert tuple(track_rules()) == TRACKS


def test_the_entry_says_what_the_run_card_says() -> None:
    submission = graded(document=having({"cost.usd": 12.5}))
    entry = entry_of(submission)
    assert submission.status == Status.IN_REVIEW
    assert (entry.source, entry.scope, entry.run_on) == ("graded", "low", submission.created_at.date())
    assert (entry.agent.name, entry.agent.organisation) == ("Cross-validator", submission.team.organisation)
    assert entry.slug == f"cross-validator-{submission.public_id.hex[:8]}"
    assert (entry.version, entry.url) == ("1.4.0", "https://example.org/cross-validator")
    assert entry.llms == ["gpt-5-2025-08-07", "Qwen/Qwen3-235B-A22B"]
    assert (entry.vcpus, entry.ram_gb, entry.gpus, entry.cost_usd) == (36, 440, 1, 12.5)
    assert (entry.source_available, entry.no_llm) == (True, False)


def test_what_is_reviewed_is_to_be_compared_with_all_others() -> None:
    """However soon it is decided: the sweep looks every few seconds, and not at what is published."""
    submission = graded()
    assert open_review(submission, make.NOW)
    assert submission.likeness.state == "due"
    other = graded()
    take_in([Status.GRADED])
    assert open_review(other, make.NOW)
    assert Likeness.objects.count() == 2


def test_nothing_disclosed_leaves_a_neutral_name_and_empty_columns() -> None:
    submission = graded(document={})
    entry = entry_of(submission)
    assert entry.agent.name == f"Unnamed agent of {submission.team.organisation}"
    assert (entry.llms, entry.no_llm, entry.hours, entry.source_available) == ([], False, None, None)


@pytest.mark.parametrize(
    ("scaffold", "expected"),
    [
        ({"source_url": "https://example.org/x"}, True),
        ({"closed": True}, False),
        ({"source_promise": {"date": "2027-01-01"}}, False),
        ({}, None),
    ],
)
def test_source_available(scaffold: dict[str, Any], expected: bool | None) -> None:
    assert entry_of(graded(document={"scaffold": scaffold})).source_available is expected


def test_an_agent_without_an_llm_says_so() -> None:
    entry = entry_of(graded(document={"scaffold": {"uses_llm": False}}))
    assert (entry.llms, entry.no_llm) == ([], True)


def test_one_agent_per_organisation_and_name() -> None:
    team = make.make_team()
    benchmark = make.make_benchmark(splits=SPLITS)
    for owner in (team, team, make.make_team()):
        scores = {"0": {"easy": 0.9}}
        entry_of(make.make_graded_submission(scores, team=owner, benchmark=benchmark, document=complete()))
    slugs = Agent.objects.order_by("pk").values_list("slug", flat=True)
    assert slugs[0] == "cross-validator"
    assert slugs[1].startswith("cross-validator-organisation-")
    assert len(slugs) == 2


def test_every_run_of_the_scope_is_pinned_with_its_medal() -> None:
    scores = {
        "0": {"easy": 0.95, "easier": 0.8},
        "1": {"easy": 0.7, "easier": 0.6},
        "2": {"easy": 0.5, "easier": None},
    }
    entry = entry_of(graded(scores))
    seen = [
        (run.seed, run.competition_id, run.outcome, run.medal, run.above_median) for run in entry.runs.all()
    ]
    assert seen == [
        ("0", "easier", "scored", "silver", True),
        ("1", "easier", "scored", "none", True),
        ("2", "easier", "invalid", "none", False),
        ("0", "easy", "scored", "gold", True),
        ("1", "easy", "scored", "bronze", True),
        ("2", "easy", "scored", "none", False),
    ]
    pinned = entry.runs.get(seed="0", competition="easy")
    assert pinned.grading == submission_grading(entry, "0", "easy")
    assert pinned.thresholds == pinned.competition.thresholds.get()
    result = entry.results.get()
    assert result.split == "low"
    assert result.per_seed == {"0": 100.0, "1": 50.0, "2": 0.0}
    assert (result.any_medal_mean, result.seeds, result.padded_runs, result.total_runs) == (50.0, 3, 0, 6)
    assert result.any_medal_sem == pytest.approx(50 / 3**0.5)
    assert (result.gold_mean, result.valid_mean) == (pytest.approx(100 / 6), pytest.approx(500 / 6))


def submission_grading(entry: Entry, seed: str, competition: str) -> Any:
    assert entry.submission is not None
    return entry.submission.runs.get(seed=seed, competition=competition).grading


def test_the_newest_thresholds_count_and_the_direction_is_the_competitions() -> None:
    submission = graded({"0": {"easy": 0.95, "easier": 0.1}})
    easier = make.Competition.objects.get(pk="easier")
    easier.lower_is_better = True
    easier.save()
    newest = make.make_thresholds(easier, (0.1, 0.2, 0.3, 0.4), exact=False)
    pinned = entry_of(submission).runs.get(competition="easier")
    assert (pinned.thresholds, pinned.medal, pinned.above_median, pinned.near_cutoff) == (
        newest,
        "gold",
        True,
        True,
    )


def test_without_thresholds_a_score_earns_nothing() -> None:
    submission = graded({"0": {"easy": 0.95, "easier": 0.95}})
    make.ThresholdsVersion.objects.filter(competition="easy").delete()
    entry = entry_of(submission)
    assert [run.medal for run in entry.runs.order_by("competition")] == ["gold", "none"]


def test_missing_runs_are_failures_of_their_seed_with_the_teams_reason() -> None:
    missing = [
        {"seed": "1", "competition": "easier", "missing_reason": "out_of_time"},
        {"seed": "9", "competition": "easy", "missing_reason": "out_of_memory"},
        {"seed": "8", "competition": "hard", "missing_reason": "other"},
    ]
    scores = {"0": {"easy": 0.95, "easier": 0.95}, "1": {"easy": 0.95}}
    entry = entry_of(graded(scores, document={"seeds": {"missing": missing}}))
    absent = entry.runs.filter(outcome="missing").order_by("seed", "competition")
    assert [(run.seed, run.competition_id, run.missing_reason) for run in absent] == [
        ("1", "easier", "out_of_time"),
        ("9", "easier", ""),
        ("9", "easy", "out_of_memory"),
    ]
    result = entry.results.get()
    assert result.per_seed == {"0": 100.0, "1": 50.0, "9": 0.0}
    assert (result.padded_runs, result.total_runs, result.is_padded) == (3, 6, True)


@pytest.mark.parametrize(
    ("scope", "splits"), [("all", ["all", "high", "low", "medium"]), ("low", ["low"]), ("dev", ["dev"])]
)
def test_only_splits_inside_the_scope_have_figures(scope: str, splits: list[str]) -> None:
    scores = {"0": dict.fromkeys(SPLITS, 0.95)}
    entry = entry_of(graded(scores, scope=scope))
    assert sorted(entry.results.values_list("split", flat=True)) == splits


def test_checkpoints_are_never_ranked() -> None:
    submission = graded({"0": {"easy": 0.95, "easier": 0.95}})
    make.make_run(submission, "0", "easy", checkpoint_hours=1.0)
    assert entry_of(submission).runs.count() == 2


def test_it_happens_once_however_often_it_is_asked_for() -> None:
    submission = graded()
    stale = Submission.objects.get(pk=submission.pk)
    assert open_review(submission, make.NOW)
    assert not open_review(submission, make.NOW)
    assert not open_review(stale, make.NOW)
    assert (Entry.objects.count(), EntryRun.objects.count(), EntryResult.objects.count()) == (1, 6, 1)
    assert submission.events.filter(after=Status.IN_REVIEW).count() == 1


@pytest.mark.parametrize("step", ["record_results", "record_claims"])
def test_killed_on_the_way_nothing_is_left_behind(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    submission = graded()

    def die(*args: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(review, step, die)
        with pytest.raises(KeyboardInterrupt):
            open_review(submission, make.NOW)
    submission.refresh_from_db()
    assert submission.status == Status.GRADED
    assert not Entry.objects.exists()
    assert not Claim.objects.exists()
    assert open_review(submission, make.NOW)


def test_nothing_is_published() -> None:
    entry_of(graded())
    assert not Placement.objects.exists()
    assert not Snapshot.objects.exists()


def test_no_score_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    submission = graded({"0": {"easy": 0.98765, "easier": 0.98765}})
    with caplog.at_level("DEBUG", logger="leaderboard"):
        tasks.review(str(submission.public_id))
        tasks.review(str(submission.public_id))
    assert "98765" not in caplog.text
    assert "in review already" in caplog.text


# Claims and the proposed track.


@pytest.mark.parametrize(
    ("document", "track"),
    [
        (HONEST, "clean"),
        (having({**OWN, "cost.usd": None}), "no-private-lb"),
        (having({"integrity.test_set_signal": "score"}), "additional"),
        ({}, "additional"),
    ],
)
def test_the_claims_earn_a_track(document: dict[str, Any], track: str) -> None:
    submission = graded(document=document)
    before = proposal_for(submission)
    assert before.track == track
    assert open_review(submission, make.NOW)
    assert submission.claims.count() == len(CHECKS)
    assert proposal_for(submission) == before


def test_two_seeds_are_not_clean_and_the_reason_says_so() -> None:
    document = having({**OWN, "seeds.labels": ["0", "1"], "seeds.number_run_in_all": 3})
    submission = graded({seed: {"easy": 0.9, "easier": 0.9} for seed in ("0", "1")}, document=document)
    proposal = proposal_for(submission)
    assert proposal.track == "no-private-lb"
    assert [reason.check for reason in proposal.reasons] == ["seed-count"]


def test_recorded_claims_count_over_the_run_card() -> None:
    """A maintainer may find against a claim; the proposal follows what is recorded."""
    submission = graded()
    open_review(submission, make.NOW)
    claim = submission.claims.get(code="test-set-signal")
    claim.state, claim.holds, claim.sentence = Claim.State.CONTRADICTED, False, "The logs say otherwise."
    claim.save()
    proposal = proposal_for(submission)
    assert proposal.track == "additional"
    assert "The logs say otherwise." in [reason.sentence for reason in proposal.reasons]


def test_before_a_scope_is_declared_the_narrowest_that_holds_the_runs_is_assumed() -> None:
    benchmark = make.make_benchmark(splits=SPLITS)
    submission = make.make_submission(benchmark=benchmark, document=HONEST)
    for seed in SEEDS:
        for competition in ("easy", "easier"):
            make.make_run(submission, seed, competition)
    assert proposal_for(submission).track == "clean"
    make.make_run(submission, "0", "hard")
    assert [reason.check for reason in proposal_for(submission).reasons] == ["seed-coverage"]


def test_before_confirming_the_proposal_is_what_confirming_leads_to() -> None:
    """Confirming gives the attestation, so that nobody is told to answer it."""
    document = having({"attestation": None}, HONEST)
    submission = make.make_submission(benchmark=make.make_benchmark(splits=SPLITS), document=document)
    for seed in SEEDS:
        for competition in ("easy", "easier"):
            make.make_run(submission, seed, competition)
    assert proposal_for(submission).track == "clean"


# Tasks.


def test_the_sweep_rings_graded_submissions_alone(
    rings: list[tuple[str, tuple[str, ...]]], django_capture_on_commit_callbacks: Any
) -> None:
    submission = graded()
    make.make_submission(status=Status.GRADING)
    with django_capture_on_commit_callbacks(execute=True):
        tasks.sweep()
    assert rings == [("leaderboard.tasks.review", (str(submission.public_id),))]
    tasks.review(str(submission.public_id))
    with django_capture_on_commit_callbacks(execute=True):
        tasks.sweep()
    assert len(rings) == 1
