"""How did the agent judge its own candidates, and how often did it ask?"""

from leaderboard.integrity.checks.base import CLEAN, Check, Disclosure, Severity, Verdict, counted, declared
from submissions.run_card import choice_text


def judge(disclosure: Disclosure) -> Verdict:
    integrity = disclosure.part("integrity")
    route, calls = integrity["validation_route"], integrity["validation_calls"]
    words = choice_text("integrity.validation_route", route)
    return declared(f"Candidates judged: {words}; {counted(calls, 'call')} a run.", route, calls=calls)


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
