"""Did solutions or data of these competitions come from outside?"""

from leaderboard.integrity.checks.base import CLEAN, Check, Disclosure, Severity, Verdict, declared
from submissions.run_card import choice_text


def judge(disclosure: Disclosure) -> Verdict:
    material = disclosure.part("integrity")["external_data"]
    return declared(f"Outside material: {choice_text('integrity.external_data', material)}.", material)


CHECK = Check(
    code="external-data",
    title="External data",
    severity=Severity.WARNING,
    sentence="No solutions of these competitions, no data of theirs from elsewhere; other material is named.",
    tracks=(CLEAN,),
    fields=("integrity.external_data", "integrity.external_data_details"),
    judge=judge,
    accepts={CLEAN: ("none", "general")},
)
