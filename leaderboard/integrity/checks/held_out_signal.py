"""How much could the agent learn from held-out answers? The ladder that decides the track, and what logs say of it."""

from typing import Final

from leaderboard.integrity.checks.base import (
    CLEAN,
    NO_PRIVATE_LB,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    declared,
    listed,
)
from submissions.run_card import choice_text

# From nothing to everything. A signal that other answers imply counts if it stands above the declared one.
LADDER: Final = ("none", "validity_only", "label_leak", "medal_or_threshold", "score", "selection")
_FEEDBACK: Final = LADDER[3:]


def judge(disclosure: Disclosure) -> Verdict:
    said = disclosure.part("integrity")["test_set_signal"]
    leaks = list(disclosure.part("integrity").get("known_leaks_used") or [])
    implied = max(_implied(disclosure), key=LADDER.index, default="none")
    logged = max(_logged(disclosure), key=LADDER.index, default="none")
    signal = max(said, implied, logged, key=LADDER.index)
    facts = {
        "declared": said,
        "implied": implied,
        "logged": logged,
        "masked_competitions": leaks if signal == "label_leak" else [],
    }
    if logged in _FEEDBACK and said not in _FEEDBACK:
        runs = listed(disclosure.logs.implied[logged])
        sentence = f"Declared: {_words(said)}. Yet logs speak of {_words(logged)}: {runs}."
        return contradicted(sentence, signal, **facts)
    if implied in _FEEDBACK and said not in _FEEDBACK:
        sentence = f"Declared: {_words(said)}. Yet other answers speak of {_words(implied)}."
        return contradicted(sentence, signal, **facts)
    if signal != said:
        others = "The logs" if LADDER.index(logged) > LADDER.index(implied) else "Other answers"
        sentence = f"Declared: {_words(said)}. {others} make it {_words(signal)}."
        return declared(sentence, signal, **facts)
    return declared(f"Declared: {_words(said)}.", signal, **facts)


def _words(signal: str) -> str:
    return choice_text("integrity.test_set_signal", signal)


def _logged(disclosure: Disclosure) -> list[str]:
    """Signals that the logs of runs speak of."""
    return [signal for signal in LADDER if disclosure.logs.implied.get(signal)]


def _implied(disclosure: Disclosure) -> list[str]:
    """Signals that other answers speak of."""
    integrity = disclosure.part("integrity")
    reasons = [row.get("reason") for row in disclosure.rows("seeds", "left_out")]
    speaking = {
        "validity_only": integrity.get("validation_route") == "validity_server",
        "label_leak": bool(integrity.get("known_leaks_used")),
        "score": integrity.get("validation_route") == "held_out_scores",
        "selection": integrity.get("final_selection_rule") == "best_held_out"
        or "chosen_by_test_result" in reasons,
    }
    return [signal for signal, spoken in speaking.items() if spoken]


CHECK = Check(
    code="test-set-signal",
    title="Signal from held-out data",
    severity=Severity.SERIOUS,
    sentence="What held-out answers told: nothing, validity, a leak, medals, scores, what to choose.",
    tracks=(CLEAN, NO_PRIVATE_LB),
    fields=("integrity.test_set_signal",),
    judge=judge,
    accepts={CLEAN: LADDER[:2], NO_PRIVATE_LB: LADDER[:3]},
)
