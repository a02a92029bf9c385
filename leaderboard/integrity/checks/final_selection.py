"""How was the CSV handed in chosen among a run's candidates?"""

from leaderboard.integrity.checks.base import CLEAN, Check, Disclosure, Severity, Verdict, declared
from submissions.run_card import choice_text


def judge(disclosure: Disclosure) -> Verdict:
    rule = disclosure.part("integrity")["final_selection_rule"]
    return declared(f"Final CSV: {choice_text('integrity.final_selection_rule', rule)}.", rule)


CHECK = Check(
    code="final-selection",
    title="Final selection",
    severity=Severity.NOTICE,
    sentence="How the CSV handed in was chosen; a choice by held-out scores is a signal from held-out data.",
    tracks=(CLEAN,),
    fields=("integrity.final_selection_rule", "integrity.final_selection_details"),
    judge=judge,
)
