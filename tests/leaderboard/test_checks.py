"""For every check: disclosures it must speak up about, and ones it must leave alone."""

import json

import pytest

from leaderboard.grading_reports import Comparison, Difference
from leaderboard.integrity.checks import (
    CHECKS,
    Disclosure,
    EntryContext,
    RunFacts,
    SeedFacts,
    State,
    run_checks,
)
from submissions.run_card import attest, normalise
from tests.submissions.run_cards import complete, having

SCOPE = frozenset({"spaceship-titanic", "leaf-classification"})
DECLARED, MACHINE, CONTRADICTED, OPEN = (
    State.DECLARED,
    State.MACHINE_CHECKED,
    State.CONTRADICTED,
    State.UNDISCLOSED,
)


def facts(seeds="012", lacking=(), scope=SCOPE) -> RunFacts:
    """Seeds that cover the scope, but for the (seed, competition) pairs that lack a CSV."""
    present = {
        seed: scope - {competition for label, competition in lacking if label == seed} for seed in seeds
    }
    return RunFacts(scope, {seed: SeedFacts(frozenset(found)) for seed, found in present.items()})


def disclosure(changes=None, runs=None, graded_here=True) -> Disclosure:
    return Disclosure(normalise(having(changes or {})), runs or facts(), EntryContext(graded_here))


def reporting(report: Comparison) -> Disclosure:
    return Disclosure(normalise(complete()), facts(), EntryContext(report=report))


def claim_of(code: str, given: Disclosure):
    return next(claim for claim in run_checks(given) if claim.code == code)


def missing(seed="1", competition="leaf-classification", reason="out_of_time"):
    return {"seed": seed, "competition": competition, "missing_reason": reason}


CLOSED = {"scaffold.source_url": None, "scaffold.closed": True, "scaffold.method_statement": "It plans."}
PROMISED = {"scaffold.source_url": None, "scaffold.source_promise": {"date": "2026-12-31"}}
NO_LLM = {"llms": None, "scaffold.uses_llm": False, "cost.tokens_in": 0, "cost.tokens_out": 0}
LEFT_OUT = "seeds.left_out.0.reason"
LEAK = {"integrity.known_leaks_used": ["leaf-classification"]}
LONGER = {"compute.overrides.0.hours_used": 30, "compute.overrides.0.hours_allowed": 48}
SEED_2_FAILED = {
    "seeds.missing": [missing(seed="2", competition=competition) for competition in sorted(SCOPE)]
}
SIGNAL = "test-set-signal"
EXTERNAL = "integrity.external_data"
THREE = {"seeds.number_run_in_all": 3, "seeds.left_out": None}

# check, changed answers, state, answer, and whether it holds for the strictest track that asks.
CASES = [
    (SIGNAL, {}, DECLARED, "none", True),
    (SIGNAL, {"integrity.test_set_signal": "validity_only"}, DECLARED, "validity_only", True),
    (SIGNAL, {"integrity.validation_route": "validity_server"}, DECLARED, "validity_only", True),
    (SIGNAL, {"integrity.test_set_signal": "label_leak"}, DECLARED, "label_leak", False),
    (SIGNAL, LEAK, DECLARED, "label_leak", False),
    (SIGNAL, {"integrity.test_set_signal": "medal_or_threshold"}, DECLARED, "medal_or_threshold", False),
    (SIGNAL, {"integrity.test_set_signal": "score"}, DECLARED, "score", False),
    (SIGNAL, {"integrity.test_set_signal": "selection"}, DECLARED, "selection", False),
    (SIGNAL, {"integrity.test_set_signal": None}, OPEN, "", False),
    (SIGNAL, {"integrity.test_set_signal": "unknown"}, OPEN, "", False),
    (SIGNAL, {"integrity.validation_route": "held_out_scores"}, CONTRADICTED, "score", False),
    (SIGNAL, {"integrity.final_selection_rule": "best_held_out"}, CONTRADICTED, "selection", False),
    (SIGNAL, {LEFT_OUT: "chosen_by_test_result"}, CONTRADICTED, "selection", False),
    ("known-leaks", {}, DECLARED, "none", True),
    ("known-leaks", {"integrity.test_set_signal": "label_leak"}, OPEN, "", False),
    ("known-leaks", LEAK, DECLARED, "named", True),
    ("predictions-by", {}, DECLARED, "trained_model", True),
    ("predictions-by", {"integrity.predictions_by": "llm"}, DECLARED, "llm", False),
    ("predictions-by", {"integrity.predictions_by": "rules"}, DECLARED, "rules", False),
    ("predictions-by", {"integrity.predictions_by": None}, OPEN, "", False),
    ("external-data", {}, DECLARED, "general", True),
    ("external-data", {EXTERNAL: "none"}, DECLARED, "none", True),
    ("external-data", {EXTERNAL: "competition_data"}, DECLARED, "competition_data", False),
    ("external-data", {EXTERNAL: "competition_solutions"}, DECLARED, "competition_solutions", False),
    ("external-data", {"integrity.external_data_details": "n/a"}, OPEN, "", False),
    ("human-intervention", {}, DECLARED, "none", True),
    (
        "human-intervention",
        {"integrity.human_intervention": "operational", "integrity.human_intervention_details": "A restart."},
        DECLARED,
        "operational",
        True,
    ),
    (
        "human-intervention",
        {"integrity.human_intervention": "guidance", "integrity.human_intervention_details": "Hints."},
        DECLARED,
        "guidance",
        False,
    ),
    ("human-intervention", {"integrity.human_intervention": "operational"}, OPEN, "", False),
    ("human-intervention", {"integrity.predictions_by": "human"}, CONTRADICTED, "none", False),
    ("human-intervention", {"integrity.final_selection_rule": "human_choice"}, CONTRADICTED, "none", False),
    ("validation-route", {}, DECLARED, "training_data", True),
    ("validation-route", {"integrity.validation_route": "none"}, DECLARED, "none", True),
    ("validation-route", {"integrity.validation_calls": None}, OPEN, "", False),
    ("final-selection", {}, DECLARED, "best_validation", True),
    ("final-selection", {"integrity.final_selection_rule": "other"}, OPEN, "", False),
    ("final-selection", {"integrity.final_selection_rule": None}, OPEN, "", False),
    ("web-search", {}, DECLARED, "no", True),
    ("web-search", {"integrity.web_search": True}, OPEN, "", False),
    (
        "web-search",
        {"integrity.web_search": True, "integrity.web_search_details": "Library docs."},
        DECLARED,
        "yes",
        True,
    ),
    ("knowledge-bases", {}, DECLARED, "yes", True),
    ("knowledge-bases", {"integrity.knowledge_bases": None}, OPEN, "", False),
    ("seeds-left-out", {}, DECLARED, "explained", True),
    ("seeds-left-out", THREE, DECLARED, "none", True),
    ("seeds-left-out", {"seeds.number_run_in_all": 9}, OPEN, "unexplained", False),
    ("seeds-left-out", {"seeds.number_run_in_all": 2, "seeds.left_out": None}, CONTRADICTED, "", False),
    ("seeds-left-out", {"seeds.number_run_in_all": 3}, CONTRADICTED, "", False),
    ("seeds-left-out", {LEFT_OUT: "chosen_by_validation"}, DECLARED, "chosen", False),
    ("seeds-left-out", {LEFT_OUT: "tbd"}, OPEN, "", False),
    ("scaffold", {}, DECLARED, "open", True),
    ("scaffold", CLOSED, DECLARED, "closed", True),
    ("scaffold", PROMISED, DECLARED, "promised", True),
    ("scaffold", {"scaffold.version": "latest"}, OPEN, "", False),
    ("scaffold", {"scaffold.commit": None}, OPEN, "", False),
    ("scaffold", {**CLOSED, "scaffold.method_statement": "n/a"}, OPEN, "", False),
    ("scaffold", {**CLOSED, "scaffold.source_url": "https://example.org"}, CONTRADICTED, "", False),
    ("llms", {}, DECLARED, "exact", True),
    ("llms", NO_LLM, DECLARED, "no_llm", True),
    ("llms", {"llms": None}, OPEN, "", False),
    ("llms", {"scaffold.uses_llm": False}, CONTRADICTED, "", False),
    ("llms", {"llms.0.provider": "undisclosed"}, OPEN, "", False),
    ("llms", {"llms.0.id": "gpt-4o-latest"}, OPEN, "", False),
    ("compute", {}, DECLARED, "stated", True),
    ("compute", {"compute.default.ram_gb": None}, OPEN, "", False),
    ("compute", {"compute.default.hours_used": 25}, CONTRADICTED, "", False),
    ("compute", {"compute.overrides.0.hours_used": 30}, CONTRADICTED, "", False),
    ("compute", LONGER, DECLARED, "stated", True),
    ("compute", {"compute.overrides.0.seed": "7"}, CONTRADICTED, "", False),
    ("compute", {"compute.overrides.0.competition": "dog-breed-identification"}, CONTRADICTED, "", False),
    ("cost", {}, DECLARED, "api_usage", True),
    ("cost", {"cost.usd": 0}, DECLARED, "api_usage", True),
    ("cost", {"cost.tokens_out": 0}, OPEN, "", False),
    ("cost", NO_LLM, DECLARED, "api_usage", True),
    ("cost", {"cost.source": "?"}, OPEN, "", False),
    ("prompt", {}, DECLARED, "original", True),
    ("prompt", {"prompt": "obfuscated"}, DECLARED, "obfuscated", True),
    ("prompt", {"prompt": None}, OPEN, "", False),
    ("attestation", {}, DECLARED, "given", True),
    ("attestation", {"attestation.name": "-"}, OPEN, "", False),
    ("attestation", {"attestation.digest": "0" * 64}, CONTRADICTED, "", False),
    ("graded-here", {}, MACHINE, "yes", True),
    ("claimed-report", {}, MACHINE, "none", True),
    ("seed-count", {}, MACHINE, "three_or_more", True),
    ("seed-coverage", {}, MACHINE, "complete", True),
]  # fmt: skip


@pytest.mark.parametrize(("code", "changes", "state", "answer", "holds"), CASES)
def test_a_check_judges_the_answers(code, changes, state, answer, holds):
    claim = claim_of(code, disclosure(changes))
    assert (claim.state, claim.answer, claim.holds) == (state, answer, holds), claim.sentence


GAP = [("1", "leaf-classification")]
RUN_CASES = [
    ("seed-count", {}, facts("01"), MACHINE, "fewer_than_three"),
    ("seed-count", {"seeds.labels": ["0", "1"]}, facts("01"), MACHINE, "fewer_than_three"),
    ("seed-count", {}, facts("0123"), CONTRADICTED, ""),
    ("seed-count", {"seeds.labels": None}, facts(), OPEN, ""),
    ("seed-count", {}, facts(scope=frozenset()), MACHINE, "fewer_than_three"),
    ("seed-count", {"seeds.labels": ["2", "1", "0"]}, facts(), MACHINE, "three_or_more"),
    ("seed-coverage", {}, facts(lacking=GAP), OPEN, ""),
    ("seed-coverage", {}, facts("01"), OPEN, ""),
    ("seed-coverage", {"seeds.missing": [missing()]}, facts(lacking=GAP), DECLARED, "explained"),
    ("seed-coverage", {"seeds.missing": [missing(reason="tbd")]}, facts(lacking=GAP), OPEN, ""),
    ("seed-coverage", {"seeds.missing": [missing(reason="other")]}, facts(lacking=GAP), OPEN, ""),
    ("seed-coverage", {"seeds.missing": [missing(seed="2")]}, facts(lacking=GAP), CONTRADICTED, ""),
    ("seed-coverage", {"seeds.missing": [missing()]}, facts(), CONTRADICTED, ""),
    ("seed-coverage", {"seeds.missing": [missing(reason="invalid")]}, facts(), MACHINE, "complete"),
    ("seed-coverage", SEED_2_FAILED, facts("01"), DECLARED, "explained"),
    ("seed-coverage", {}, facts(""), OPEN, ""),
]  # fmt: skip


@pytest.mark.parametrize(("code", "changes", "runs", "state", "answer"), RUN_CASES)
def test_a_check_holds_the_answers_against_the_bundle(code, changes, runs, state, answer):
    claim = claim_of(code, disclosure(changes, runs))
    assert (claim.state, claim.answer) == (state, answer), claim.sentence


def test_self_graded_entries_say_so():
    claim = claim_of("graded-here", disclosure(graded_here=False))
    assert (claim.state, claim.holds) == (DECLARED, False)


def test_a_report_of_the_teams_own_is_held_against_ours():
    agreeing, differing = (
        Comparison(3, 3, 0, ()),
        Comparison(3, 2, 0, (Difference("a", "0", "score", "1", "2"),)),
    )
    claims = [claim_of("claimed-report", reporting(report)) for report in (agreeing, differing)]
    assert [(claim.state, claim.answer, claim.holds) for claim in claims] == [
        (MACHINE, "agrees", True),
        (CONTRADICTED, "differs", False),
    ]
    assert claims[1].sentence == "1 of 3 lines of the team's own report differ from our grading: 0/a."


def test_an_attestation_for_these_very_answers_is_machine_checked():
    document = attest(complete(), "Ada Example", "2026-03-01")
    assert claim_of("attestation", Disclosure(document, facts())).state is MACHINE


def test_departures_from_the_default_hardware_are_factors():
    changes = {"compute.default.ram_gb": 880, "compute.default.vcpus": 18}
    claim = claim_of("compute", disclosure(changes))
    assert claim.evidence["departures"] == {"vcpus": 0.5, "ram_gb": 2.0}
    assert claim.evidence["exceptions"] == 1
    assert claim.evidence["chips"] == ["vCPUs ×0.5", "RAM (GB) ×2", "GPUs 1 or 0"]
    assert claim.sentence == (
        "Against the benchmark's own set-up: vCPUs 18 (×0.5), RAM (GB) 880 (×2). "
        "Not the same in all runs: GPUs 1 or 0."
    )


def test_missing_runs_are_counted():
    claim = claim_of("seed-coverage", disclosure(runs=facts(lacking=GAP)))
    assert claim.sentence == "1 of 6 runs are missing without a reason: 1/leaf-classification."
    wide = frozenset(f"competition-{number:02}" for number in range(75))
    gaps = [("0", name) for name in sorted(wide)[:30]]
    claim = claim_of("seed-coverage", disclosure(runs=facts(lacking=gaps, scope=wide)))
    assert claim.sentence.startswith("30 of 225")
    assert claim.sentence.endswith("and 10 more.")


@pytest.mark.parametrize("given", [disclosure(), Disclosure({}, facts()), Disclosure({}, facts(""))])
def test_evidence_is_plain_strict_json_and_sentences_end(given):
    for claim in run_checks(given):
        json.dumps(claim.evidence, allow_nan=False)
        assert claim.sentence.endswith(".")


def test_every_check_has_cases_that_fire_and_that_do_not():
    quiet = {code for code, _, _, _, holds in CASES if holds}
    firing = {code for code, _, _, _, holds in CASES if not holds} | {case[0] for case in RUN_CASES}
    assert quiet == {check.code for check in CHECKS}
    assert firing | {"graded-here", "claimed-report"} == quiet
