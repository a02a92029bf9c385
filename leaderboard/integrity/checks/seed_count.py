"""Are there enough independent repetitions?"""

from typing import Final

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    counted,
    machine_checked,
)

ENOUGH: Final = 3


def judge(disclosure: Disclosure) -> Verdict:
    """Seeds with a CSV in the scope, counted in the bundle. One that failed throughout does not help."""
    runs = disclosure.runs
    undeclared = sorted(set(runs.seeds) - set(disclosure.part("seeds")["labels"]))
    if undeclared:
        return contradicted(f"Seeds not on the run card: {', '.join(undeclared)}.", undeclared=undeclared)
    found = sorted(label for label, seed in runs.seeds.items() if seed.present & runs.scope)
    if len(found) < ENOUGH:
        sentence = f"{counted(len(found), 'seed')} with predictions; {ENOUGH} or more are needed."
        return machine_checked(sentence, "fewer_than_three", seeds=found)
    return machine_checked(f"{counted(len(found), 'seed')} with predictions.", "three_or_more", seeds=found)


CHECK = Check(
    code="seed-count",
    title="Number of seeds",
    severity=Severity.WARNING,
    sentence="Three or more seeds with predictions, all of them named on the run card.",
    tracks=(CLEAN,),
    fields=("seeds.labels",),
    judge=judge,
    accepts={CLEAN: ("three_or_more",)},
)
