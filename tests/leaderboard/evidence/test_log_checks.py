"""Claims held against what logs say: readings that contradict them, and readings that do not."""

from typing import Any

import pytest

from leaderboard.evidence.facts import EvidenceFacts, SeenLlm, Span
from leaderboard.evidence.patterns import IMPLIED
from leaderboard.integrity.checks import (
    ClaimResult,
    Disclosure,
    EntryContext,
    RunFacts,
    SeedFacts,
    State,
    run_checks,
)
from leaderboard.integrity.checks.external_data import LADDER as MATERIAL
from leaderboard.integrity.checks.held_out_signal import LADDER
from leaderboard.integrity.proposal import propose_track
from submissions.run_card import normalise
from tests.submissions.run_cards import having

DECLARED, MACHINE, CONTRADICTED, OPEN = (
    State.DECLARED, State.MACHINE_CHECKED, State.CONTRADICTED, State.UNDISCLOSED,
)  # fmt: skip
COMPETITION = "spaceship-titanic"
RUN = f"0/{COMPETITION}"
RUNS = tuple(f"{seed}/{COMPETITION}" for seed in "012")
SIGNAL, EXTERNAL = "integrity.test_set_signal", "integrity.external_data"
CALLS, ROUTE = "integrity.validation_calls", "integrity.validation_route"
WEB = {"integrity.web_search": True, "integrity.web_search_details": "Library documentation."}
NO_LLM = {"llms": None, "scaffold.uses_llm": False, "cost.tokens_in": 0, "cost.tokens_out": 0}


def disclosure(changes: dict[str, Any], logs: EvidenceFacts | None) -> Disclosure:
    present = frozenset({COMPETITION})
    runs = RunFacts(present, {seed: SeedFacts(present) for seed in "012"})
    return Disclosure(normalise(having(changes)), runs, EntryContext(logs=logs))


def claim_of(code: str, changes: dict[str, Any], logs: EvidenceFacts | None) -> ClaimResult:
    return next(claim for claim in run_checks(disclosure(changes, logs)) if claim.code == code)


def implied(*signals: str) -> EvidenceFacts:
    return EvidenceFacts(logs=RUNS, implied=dict.fromkeys(signals, (RUN,)))


def used(*names: str, spoken_of: tuple[str, ...] = ()) -> EvidenceFacts:
    llms = {name: SeenLlm(1, (RUN,)) for name in names}
    return EvidenceFacts(
        logs=RUNS, llms=llms | {name: SeenLlm(1, (RUN,), is_called=False) for name in spoken_of}
    )


def called(*numbers: int) -> EvidenceFacts:
    return EvidenceFacts(logs=RUNS, calls={run: n for run, n in zip(RUNS, numbers, strict=False) if n})


def lasted(*hours: float) -> EvidenceFacts:
    spans = {run: Span(h, "", "") for run, h in zip(RUNS, hours, strict=False)}
    return EvidenceFacts(logs=RUNS, spans=spans)


CASES = [
    ("test-set-signal", {}, None, DECLARED, "none"),
    ("test-set-signal", {}, implied(), DECLARED, "none"),
    ("test-set-signal", {}, implied("score"), CONTRADICTED, "score"),
    ("test-set-signal", {}, implied("medal_or_threshold"), CONTRADICTED, "medal_or_threshold"),
    ("test-set-signal", {}, implied("medal_or_threshold", "score"), CONTRADICTED, "score"),
    ("test-set-signal", {}, implied("validity_only"), DECLARED, "validity_only"),
    ("test-set-signal", {}, implied("web", "competition_data"), DECLARED, "none"),
    ("test-set-signal", {SIGNAL: "label_leak"}, implied("score"), CONTRADICTED, "score"),
    ("test-set-signal", {SIGNAL: "score"}, implied("score"), DECLARED, "score"),
    ("test-set-signal", {SIGNAL: "medal_or_threshold"}, implied("score"), DECLARED, "score"),
    ("test-set-signal", {SIGNAL: "selection"}, implied("score"), DECLARED, "selection"),
    ("test-set-signal", {SIGNAL: None}, implied("score"), OPEN, ""),
    ("external-data", {EXTERNAL: "none"}, implied("score", "web"), DECLARED, "none"),
    ("external-data", {}, implied("competition_data"), CONTRADICTED, "competition_data"),
    ("external-data", {EXTERNAL: "none"}, implied("competition_solutions"), CONTRADICTED, "competition_solutions"),
    ("external-data", {EXTERNAL: "competition_data"}, implied("competition_data"), DECLARED, "competition_data"),
    ("external-data", {EXTERNAL: "competition_data"}, implied("competition_solutions"), CONTRADICTED,
     "competition_solutions"),
    ("external-data", {EXTERNAL: "competition_solutions"}, implied("competition_data"), DECLARED,
     "competition_solutions"),
    ("web-search", {}, implied("web"), CONTRADICTED, "no"),
    ("web-search", {}, implied("competition_data"), DECLARED, "no"),
    ("web-search", WEB, implied("web"), DECLARED, "yes"),
    ("validation-route", {}, called(0, 0, 0), DECLARED, "training_data"),
    ("validation-route", {}, called(1, 0, 0), CONTRADICTED, "training_data"),
    ("validation-route", {CALLS: 2}, called(2, 3, 2), DECLARED, "training_data"),
    ("validation-route", {CALLS: 2}, called(2, 3, 3), CONTRADICTED, "training_data"),
    ("validation-route", {CALLS: 2, ROUTE: "validity_server"}, called(40, 0, 0), CONTRADICTED, "validity_server"),
    ("validation-route", {CALLS: 50}, called(1, 0, 0), DECLARED, "training_data"),
    ("llms", {}, used(), DECLARED, "exact"),
    ("llms", {}, used("gpt-5", "qwen3-235b-a22b"), MACHINE, "exact"),
    ("llms", {}, used("gpt-5-2025-08-07"), MACHINE, "exact"),
    ("llms", {}, used("gpt-5", "claude-sonnet-4-20250514"), CONTRADICTED, ""),
    ("llms", {}, used("gpt-5-2025-10-06"), CONTRADICTED, ""),
    ("llms", {}, used(spoken_of=("gpt-4", "claude-sonnet-4")), DECLARED, "exact"),
    ("llms", NO_LLM, used("gpt-5"), CONTRADICTED, ""),
    ("llms", NO_LLM, used(spoken_of=("gpt-5",)), DECLARED, "no_llm"),
    ("llms", {"llms.0.id": "gpt-5-latest"}, used("gpt-5"), OPEN, ""),
    ("compute", {}, lasted(19, 20, 19.5), DECLARED, "stated"),
    ("compute", {}, lasted(26.6, 1, 1), DECLARED, "stated"),
    ("compute", {}, lasted(26.7, 1, 1), CONTRADICTED, "stated"),
    ("compute", {"compute.default.hours_used": 2}, lasted(2.4, 2.4, 2.4), DECLARED, "stated"),
    ("compute", {"compute.default.hours_used": 2}, lasted(2.5, 2.5, 2.5), CONTRADICTED, "stated"),
    ("compute", {"compute.default.hours_used": 2}, lasted(4, 1, 1), DECLARED, "stated"),
    ("compute", {"compute.default.hours_used": 2}, lasted(4), DECLARED, "stated"),
    ("compute", {"compute.default.hours_used": 2}, lasted(8), CONTRADICTED, "stated"),
    ("compute", {"compute.overrides.0.hours_used": 1}, lasted(1, 1, 1.3), DECLARED, "stated"),
    ("compute", {"compute.overrides.0.hours_used": 1}, lasted(1, 1, 1.5), CONTRADICTED, "stated"),
    ("compute", {"compute.overrides.0.hours_allowed": 48}, lasted(1, 1, 40), DECLARED, "stated"),
    ("compute", {"compute.overrides.0.hours_allowed": 48}, lasted(40, 1, 1), CONTRADICTED, "stated"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "changes", "logs", "state", "answer"), CASES)
def test_a_claim_is_held_against_the_logs(
    code: str, changes: dict[str, Any], logs: EvidenceFacts | None, state: State, answer: str
) -> None:
    claim = claim_of(code, changes, logs)
    assert (claim.state, claim.answer) == (state, answer), claim.sentence


@pytest.mark.parametrize(
    ("code", "logs", "sentence"),
    [
        (
            "test-set-signal",
            implied("score"),
            f"Declared: none at all. Yet logs speak of scores on held-out data: {RUN}.",
        ),
        ("llms", used("gpt-4o-mini"), "Not on the run card, yet in the logs: gpt-4o-mini."),
        (
            "validation-route",
            called(1, 3),
            f"Said: 0 calls a run. The logs show 1.3 on average: {RUNS[1]} 3, {RUNS[0]} 1.",
        ),
        (
            "compute",
            lasted(30, 27),
            f"By the times in its logs a run took longer than said: {RUNS[0]} 30 h, 24 allowed, "
            f"{RUNS[1]} 27 h, 24 allowed.",
        ),
    ],
)
def test_a_contradiction_names_the_runs(code: str, logs: EvidenceFacts, sentence: str) -> None:
    assert claim_of(code, {}, logs).sentence == sentence


def test_hours_on_average_name_the_longest_run() -> None:
    claim = claim_of("compute", {"compute.default.hours_used": 1}, lasted(2, 3, 1))
    assert f"{RUNS[1]} 3 h, and on average 2 h, 1 used" in claim.sentence


def test_many_runs_are_counted_and_not_all_named() -> None:
    logs = EvidenceFacts(logs=RUNS, implied={"web": tuple(f"{seed}/x" for seed in range(30))})
    assert claim_of("web-search", {}, logs).sentence.endswith("and 20 more.")


@pytest.mark.parametrize(
    ("logs", "track"),
    [
        (None, "clean"),
        (implied("validity_only"), "clean"),
        (EvidenceFacts(is_given_up=True), "clean"),
        (implied("web"), "no-private-lb"),
        (used("claude-sonnet-4-20250514"), "no-private-lb"),
        (implied("score"), "additional"),
    ],
)
def test_what_is_proposed_for_a_complete_card(logs: EvidenceFacts | None, track: str) -> None:
    changes = {CALLS: 3, "compute.overrides": None, ROUTE: "validity_server"}
    assert propose_track(run_checks(disclosure(changes, logs))).track == track


def test_what_patterns_may_imply_is_what_checks_know() -> None:
    assert set(IMPLIED) - {"web"} <= {*LADDER, *MATERIAL}
