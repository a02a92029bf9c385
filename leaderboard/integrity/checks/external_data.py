"""Did solutions or data of these competitions come from outside?"""

from typing import Final

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    declared,
    listed,
)
from submissions.run_card import choice_text

# From nothing to everything.
LADDER: Final = ("none", "general", "competition_data", "competition_solutions")


def judge(disclosure: Disclosure) -> Verdict:
    material = disclosure.part("integrity")["external_data"]
    logs = disclosure.logs.implied
    logged = next((each for each in reversed(LADDER) if logs.get(each)), "none")
    if LADDER.index(logged) > LADDER.index(material):
        return contradicted(
            f"Said: {_words(material)}. Yet logs speak of {_words(logged)}: {listed(logs[logged])}.",
            logged,
            declared=material,
        )
    return declared(f"Outside material: {_words(material)}.", material)


def _words(material: str) -> str:
    return choice_text("integrity.external_data", material)


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
