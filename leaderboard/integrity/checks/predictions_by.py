"""What made the predictions?"""

from leaderboard.integrity.checks.base import CLEAN, Check, Disclosure, Severity, Verdict, declared
from submissions.run_card import choice_text


def judge(disclosure: Disclosure) -> Verdict:
    maker = disclosure.part("integrity")["predictions_by"]
    return declared(f"Predictions made by {choice_text('integrity.predictions_by', maker)}.", maker)


CHECK = Check(
    code="predictions-by",
    title="Predictions by",
    severity=Severity.WARNING,
    sentence="The predictions come from models the agent trained, not from an llm, rules or people.",
    tracks=(CLEAN,),
    fields=("integrity.predictions_by",),
    judge=judge,
    accepts={CLEAN: ("trained_model",)},
)
