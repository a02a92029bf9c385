"""Did people take part while the agent worked?"""

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    declared,
)
from submissions.run_card import choice_text


def judge(disclosure: Disclosure) -> Verdict:
    integrity = disclosure.part("integrity")
    part = integrity["human_intervention"]
    words = choice_text("integrity.human_intervention", part)
    by_people = (
        integrity.get("predictions_by") == "human" or integrity.get("final_selection_rule") == "human_choice"
    )
    if by_people and part != "guidance":
        return contradicted(f"Declared: {words}; yet people made or chose the predictions.", part)
    return declared(f"What people did: {words}.", part)


CHECK = Check(
    code="human-intervention",
    title="Human intervention",
    severity=Severity.WARNING,
    sentence="People restarted machines at most; they gave no hints, edited no code and chose no results.",
    tracks=(CLEAN,),
    fields=("integrity.human_intervention", "integrity.human_intervention_details"),
    judge=judge,
    accepts={CLEAN: ("none", "operational")},
)
