"""Does every seed cover the scope, or is each gap explained?"""

from collections import Counter
from typing import Any, Final

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    declared,
    machine_checked,
    not_disclosed,
)

_SHOWN: Final = 20
# A run that was handed in may well have been invalid, so this reason does not contradict a CSV.
_MAY_BE_PRESENT: Final = "invalid"


def judge(disclosure: Disclosure) -> Verdict:
    runs, missing = disclosure.runs, disclosure.missing
    reasons = _reasons(disclosure)
    present = [run for run, reason in reasons.items() if reason != _MAY_BE_PRESENT and runs.has(*run)]
    unexplained = [run for run in missing if run not in reasons]
    expected = len(disclosure.seeds) * len(runs.scope)
    facts: dict[str, Any] = {"expected": expected, "missing": len(missing)}
    if len(missing) == expected:
        return not_disclosed("The bundle holds no run of the scope.", **facts)
    if present:
        return contradicted(f"Said to be missing, yet in the bundle: {_words(present)}.", **facts)
    if unexplained:
        sentence = (
            f"{len(unexplained)} of {expected} runs are missing without a reason: {_words(unexplained)}."
        )
        return not_disclosed(sentence, **facts)
    if missing:
        sentence = f"{len(missing)} of {expected} runs are missing, each with its reason."
        return declared(sentence, "explained", **facts, reasons=Counter(reasons[run] for run in missing))
    return machine_checked(f"All {expected} runs are in the bundle.", "complete", **facts)


def _reasons(disclosure: Disclosure) -> dict[tuple[str, str], str]:
    rows = disclosure.rows("seeds", "missing")
    return {(row["seed"], row["competition"]): row["missing_reason"] for row in rows}


def _words(runs: list[tuple[str, str]]) -> str:
    more = f" and {len(runs) - _SHOWN} more" if len(runs) > _SHOWN else ""
    return ", ".join(f"{seed}/{competition}" for seed, competition in runs[:_SHOWN]) + more


CHECK = Check(
    code="seed-coverage",
    title="Coverage of the scope",
    severity=Severity.WARNING,
    sentence="Every seed has a CSV for every competition of the scope, or a reason for each that is missing.",
    tracks=(CLEAN,),
    fields=("seeds.missing",),
    judge=judge,
    accepts={CLEAN: ("complete", "explained")},
)
