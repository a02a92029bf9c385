"""Were other seeds run, and why are they not here?"""

from typing import Any

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    counted,
    declared,
    not_disclosed,
)


def judge(disclosure: Disclosure) -> Verdict:
    handed_in, run_in_all = len(disclosure.seeds), disclosure.part("seeds")["number_run_in_all"]
    left_out = disclosure.rows("seeds", "left_out")
    facts = {"handed_in": handed_in, "run_in_all": run_in_all, "reasons": [row["reason"] for row in left_out]}
    if run_in_all != handed_in + len(left_out):
        return _does_not_add_up(run_in_all - handed_in, left_out_count=len(left_out), facts=facts)
    if any(row["reason"].startswith("chosen_by_") for row in left_out):
        return declared("Seeds were chosen by their results.", "chosen", **facts)
    if left_out:
        return declared(f"{counted(len(left_out), 'seed')} left out, with reasons.", "explained", **facts)
    return declared("No seed was left out.", "none", **facts)


def _does_not_add_up(left: int, left_out_count: int, facts: dict[str, Any]) -> Verdict:
    """More seeds run than explained is silence; fewer than are here, or than are explained, cannot be."""
    if left > left_out_count:
        sentence = f"{counted(left - left_out_count, 'seed')} run and not handed in, without a reason."
        return not_disclosed(sentence, "unexplained", **facts)
    return contradicted("Fewer seeds are said to have been run than are handed in or left out.", **facts)


CHECK = Check(
    code="seeds-left-out",
    title="Seeds left out",
    severity=Severity.WARNING,
    sentence="How many seeds were run in all, a reason for each that was left out, none chosen by results.",
    tracks=(CLEAN,),
    fields=("seeds.number_run_in_all", "seeds.left_out"),
    judge=judge,
    accepts={CLEAN: ("none", "explained")},
)
