"""Predictions that are all but equal, whatever the order of rows, the digits, or a little noise on top."""

from collections.abc import Iterator

from leaderboard.integrity.checks.base import Severity, listed
from leaderboard.integrity.findings.facts import Alike, Found, Signal, SubmissionFacts

STRANGER, EARLIER, SEED = "stranger", "earlier", "seed"


def find_near_strangers(facts: SubmissionFacts) -> Iterator[Found]:
    """One finding for each other organisation's submission."""
    for each in _of(facts, STRANGER):
        pairs = listed(map(str, each.pairs))
        yield Found(f"{_runs(each)} all but equal to those of {each.name}: {pairs}.", _evidence(each))


def find_near_seeds(facts: SubmissionFacts) -> Iterator[Found]:
    for each in _of(facts, SEED):
        pairs = listed(map(str, each.pairs))
        yield Found(f"Seeds all but equal: {pairs}.", _evidence(each))


def find_near_earlier(facts: SubmissionFacts) -> Iterator[Found]:
    for each in _of(facts, EARLIER):
        pairs = listed(map(str, each.pairs))
        sentence = f"{_runs(each)} changed from {each.name} by next to nothing: {pairs}."
        yield Found(sentence, _evidence(each))


def _of(facts: SubmissionFacts, of: str) -> list[Alike]:
    return [each for each in facts.alike if each.of == of and each.pairs]


def _runs(each: Alike) -> str:
    count = len({pair.place for pair in each.pairs})
    return "1 run is" if count == 1 else f"{count} runs are"


def _evidence(each: Alike) -> dict[str, object]:
    pairs = [{"run": pair.place, "other": pair.other, "likeness": pair.likeness} for pair in each.pairs]
    return ({"submission": each.name} if each.name else {}) | {"runs": pairs}


NEAR_STRANGERS = Signal(
    code="near-duplicates",
    title="Predictions nearly those of another organisation",
    severity=Severity.SERIOUS,
    meaning="Predictions were copied, and reordered, rescaled or blurred. Innocent: the same published solution.",
    find=find_near_strangers,
)
NEAR_SEEDS = Signal(
    code="near-clones",
    title="Nearly equal seeds",
    severity=Severity.WARNING,
    meaning="A seed was copied with a little noise, so that the standard error means nothing. Innocent: a method "
    "in which the seed decides next to nothing.",
    find=find_near_seeds,
)
NEAR_EARLIER = Signal(
    code="near-earlier",
    title="Nearly the predictions of an earlier submission",
    severity=Severity.NOTICE,
    meaning="Runs were changed a little and sent again, perhaps to probe. Innocent: a deterministic method.",
    find=find_near_earlier,
)
