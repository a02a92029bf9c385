"""How did the agent judge its own candidates, and how often did it ask?"""

from collections.abc import Mapping

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    counted,
    declared,
    listed,
)
from submissions.run_card import choice_text


def judge(disclosure: Disclosure) -> Verdict:
    integrity = disclosure.part("integrity")
    route, calls = integrity["validation_route"], integrity["validation_calls"]
    words = choice_text("integrity.validation_route", route)
    logged = disclosure.logs.calls
    average = sum(logged.values()) / (len(disclosure.logs.logs) or 1)
    if _is_more(average, calls):
        return contradicted(
            f"Said: {counted(calls, 'call')} a run. The logs show {average:.1f} on average: {_most(logged)}.",
            route,
            calls=calls,
            logged=dict(logged),
        )
    return declared(f"Candidates judged: {words}; {counted(calls, 'call')} a run.", route, calls=calls)


def _is_more(average: float, said: int) -> bool:
    """The run card gives a whole number: more than rounding can explain. 0 is an answer, so one call is more."""
    return average > said + 0.5 or (average > 0 and not said)


def _most(logged: Mapping[str, int]) -> str:
    """The runs with their calls, those with most first."""
    runs = sorted(logged.items(), key=lambda run: (-run[1], run[0]))
    return listed(f"{run} {calls}" for run, calls in runs)


CHECK = Check(
    code="validation-route",
    title="Validation route",
    severity=Severity.NOTICE,
    sentence="How candidates were judged, and how often a run called a check that knows held-out data.",
    tracks=(CLEAN,),
    fields=(
        "integrity.validation_route",
        "integrity.validation_details",
        "integrity.validation_calls",
    ),
    judge=judge,
)
