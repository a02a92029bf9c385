"""The same predictions under several names: seeds of one submission, or submissions of several organisations."""

from collections import Counter
from collections.abc import Iterator

from leaderboard.integrity.checks.base import Severity, listed
from leaderboard.integrity.findings.facts import Found, Signal, SubmissionFacts


def find_cloned_seeds(facts: SubmissionFacts) -> Iterator[Found]:
    """Competitions on which two seeds or more handed in the same bytes."""
    cloned = []
    for name, runs in facts.by_competition.items():
        if max(Counter(run.csv for run in runs).values()) > 1:
            cloned.append(name)
    if cloned:
        yield Found(f"Seeds with identical files on: {listed(cloned)}.", {"competitions": cloned})


def find_twins(facts: SubmissionFacts) -> Iterator[Found]:
    """One finding for each other organisation's submission that shares files."""
    for twin in facts.twins:
        if twin.what == "csv":
            yield Found(
                f"{len(twin.places)} files are identical with those of {twin.name}: {listed(twin.places)}.",
                {"submission": twin.name, "runs": list(twin.places)},
            )


def find_same_bundle(facts: SubmissionFacts) -> Iterator[Found]:
    for twin in facts.twins:
        if twin.what == "bundle":
            yield Found(f"The very bundle of {twin.name}.", {"submission": twin.name})


CLONED_SEEDS = Signal(
    code="cloned-seeds",
    title="Identical files across seeds",
    severity=Severity.SERIOUS,
    meaning="A seed was copied, so that the standard error means nothing. Innocent: a constant baseline.",
    find=find_cloned_seeds,
)
TWINS = Signal(
    code="same-predictions",
    title="Files of another organisation",
    severity=Severity.SERIOUS,
    meaning="Predictions were shared. Innocent: the sample submission, or a published baseline.",
    find=find_twins,
)
SAME_BUNDLE = Signal(
    code="same-bundle",
    title="The bundle of another organisation",
    severity=Severity.SERIOUS,
    meaning="One party submits under two names, perhaps to have twice the quota.",
    find=find_same_bundle,
)
