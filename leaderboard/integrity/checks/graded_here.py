"""Were the scores computed here?"""

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    declared,
    machine_checked,
)


def judge(disclosure: Disclosure) -> Verdict:
    if disclosure.entry.graded_here:
        return machine_checked("Graded here from the predictions.", "yes")
    return declared("Self-graded: the scores are the team's own.", "no")


CHECK = Check(
    code="graded-here",
    title="Graded here",
    severity=Severity.NOTICE,
    sentence="The scores were computed here from uploaded predictions.",
    tracks=(CLEAN,),
    fields=(),
    judge=judge,
    accepts={CLEAN: ("yes",)},
)
