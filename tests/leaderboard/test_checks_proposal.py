"""From claims to a track: the ladder, the reasons, and that silence never pays."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.integrity.checks import CHECKS, State, run_checks
from leaderboard.integrity.checks.reference import checks_reference
from leaderboard.integrity.proposal import TRACKS, TrackRule, propose_track
from submissions.run_card import SCHEMA, undisclosed
from submissions.run_card.schema import kind_of, properties
from tests.leaderboard.test_checks import CLOSED, GAP, NO_LLM, disclosure, facts, missing
from tests.submissions.run_cards import complete

DOCS = Path(__file__).parents[2] / "docs"
CLEAN, NO_PRIVATE_LB, ADDITIONAL = (track.slug for track in TRACKS)
ORDER = {track.slug: track.order for track in TRACKS}


def proposal_for(changes=None, runs=None, graded_here=True):
    return propose_track(run_checks(disclosure(changes, runs, graded_here)))


LADDER = [
    ("none", CLEAN),
    ("validity_only", CLEAN),
    ("label_leak", NO_PRIVATE_LB),
    ("medal_or_threshold", ADDITIONAL),
    ("score", ADDITIONAL),
    ("selection", ADDITIONAL),
    (None, ADDITIONAL),
    ("undisclosed", ADDITIONAL),
]


@pytest.mark.parametrize(("signal", "track"), LADDER)
def test_the_signal_decides_the_strictest_track(signal, track):
    assert proposal_for({"integrity.test_set_signal": signal}).track == track


TWO_SEEDS = {
    "seeds.labels": ["0", "1"],
    "seeds.number_run_in_all": 2,
    "seeds.left_out": None,
    "compute.overrides": None,
}
PROPOSALS = [
    ({}, facts(), CLEAN, set()),
    (CLOSED, facts(), CLEAN, set()),
    (NO_LLM, facts(), CLEAN, set()),
    ({"seeds.missing": [missing()]}, facts(lacking=GAP), CLEAN, set()),
    ({}, facts(lacking=GAP), NO_PRIVATE_LB, {"seed-coverage"}),
    (
        TWO_SEEDS,
        facts("01"),
        NO_PRIVATE_LB,
        {"seed-count"},
    ),
    ({"integrity.predictions_by": "llm"}, facts(), NO_PRIVATE_LB, {"predictions-by"}),
    ({"integrity.external_data": "competition_solutions"}, facts(), NO_PRIVATE_LB, {"external-data"}),
    ({"cost": None, "prompt": None}, facts(), NO_PRIVATE_LB, {"cost", "prompt"}),
    ({"llms.0.id": "gpt-latest"}, facts(), NO_PRIVATE_LB, {"llms"}),
    ({"attestation": None}, facts(), ADDITIONAL, {"attestation"}),
    ({"integrity.validation_route": "held_out_scores"}, facts(), ADDITIONAL, {"test-set-signal"}),
    ({"integrity": None}, facts(), ADDITIONAL, {check.code for check in CHECKS[:9]} - {"known-leaks"}),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "runs", "track", "checks"), PROPOSALS)
def test_a_proposal_has_the_reasons_against_stricter_tracks(changes, runs, track, checks):
    proposal = proposal_for(changes, runs)
    assert proposal.track == track
    assert {reason.check for reason in proposal.reasons} == checks
    assert all(reason.sentence for reason in proposal.reasons)


def test_two_seeds_say_why():
    changes = {"seeds.labels": ["0", "1"], "seeds.number_run_in_all": 3, "compute.overrides": None}
    (reason,) = proposal_for(changes, facts("01")).reasons
    assert reason.track == CLEAN
    assert reason.sentence == "2 seeds with predictions; 3 or more are needed. Clean takes: three_or_more."


def test_a_leak_that_was_named_is_proposed_for_masking():
    changes = {
        "integrity.test_set_signal": "label_leak",
        "integrity.known_leaks_used": ["leaf-classification"],
    }
    assert proposal_for(changes).masked_competitions == ("leaf-classification",)
    assert proposal_for().masked_competitions == ()


def test_self_graded_entries_are_not_clean():
    assert proposal_for(graded_here=False).track == NO_PRIVATE_LB


PATHS = [
    f"{name}.{key}" if kind_of(section) == "section" else name
    for name, section in properties(SCHEMA).items()
    for key in (properties(section) or {"": None})
    if kind_of(section) != "section" or key in complete().get(name, {})
]


@settings(max_examples=20, deadline=None)
@given(st.sets(st.sampled_from(sorted(set(PATHS)))), st.sampled_from([row[0] for row in LADDER if row[0]]))
def test_silence_is_never_better_than_honesty(silent, signal):
    honest = proposal_for({"integrity.test_set_signal": signal})
    quieter = proposal_for({"integrity.test_set_signal": signal, **dict.fromkeys(silent)})
    assert ORDER[quieter.track] >= ORDER[honest.track]


def test_a_track_is_data():
    open_source_only = TrackRule(
        "open", "Open", "Source public.", 0, required_checks=("scaffold",), accepts={"scaffold": ("open",)}
    )
    tracks = (*TRACKS, open_source_only)
    assert propose_track(run_checks(disclosure()), tracks).track == "open"
    assert propose_track(run_checks(disclosure(CLOSED)), tracks).track == CLEAN


def test_a_check_that_was_not_run_does_not_stand():
    claims = [claim for claim in run_checks(disclosure()) if claim.code != "cost"]
    (reason,) = propose_track(claims).reasons
    assert reason.sentence == "The check cost has not been run."


@pytest.mark.parametrize("state", list(State))
def test_only_open_and_contradicted_claims_fail(state):
    claims = [replace(claim, state=state) for claim in run_checks(disclosure())]
    assert (propose_track(claims).track == CLEAN) == state.stands


def test_without_tracks_there_is_no_proposal():
    with pytest.raises(ValueError):
        propose_track([], [])


def test_tracks_ask_only_for_checks_that_exist():
    codes = [check.code for check in CHECKS]
    assert len(set(codes)) == len(codes)
    for track in TRACKS:
        assert set(track.required_checks) <= set(codes)
        assert set(track.accepts) <= set(track.required_checks)
        assert set(track.includes) <= set(ORDER)
    assert [(track.ranked, track.warned) for track in TRACKS] == [(True, False), (True, False), (False, True)]


def test_every_question_that_clean_needs_belongs_to_a_check():
    fields = [name for check in CHECKS for name in check.fields]
    for path in undisclosed({}):
        assert any(path == name or path.startswith(f"{name}.") for name in fields), path


def test_the_page_of_checks_is_current():
    found = (DOCS / "checks.md").read_text("utf-8")
    assert found == checks_reference(), "run python -m leaderboard.integrity.checks.reference"


def test_the_page_of_tracks_names_every_track_and_what_clean_does_not_prove():
    page = (DOCS / "tracks.md").read_text("utf-8")
    assert "## What Clean does not prove" in page
    for track in TRACKS:
        assert f"## {track.title} (`{track.slug}`)" in page
