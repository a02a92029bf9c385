"""Seeds that are too alike, or too unlike."""

from collections.abc import Iterator, Sequence

from grading.medals import Medal
from leaderboard.integrity.checks.base import Severity, listed
from leaderboard.integrity.findings.facts import Found, Run, Signal, SubmissionFacts

ENOUGH_SEEDS = 3


def find_no_spread(facts: SubmissionFacts) -> Iterator[Found]:
    """Equal scores from unequal files: equal files are cloned seeds, which is said elsewhere."""
    alike = [name for name, runs in facts.by_competition.items() if _is_alike(runs)]
    if alike:
        yield Found(f"All seeds have the very same score on: {listed(alike)}.", {"competitions": alike})


def find_wild(facts: SubmissionFacts) -> Iterator[Found]:
    wild = [name for name, runs in facts.by_competition.items() if _is_wild(runs)]
    if wild:
        yield Found(
            f"One seed has gold and another is not above the median on: {listed(wild)}.",
            {"competitions": wild},
        )


def _is_alike(runs: Sequence[Run]) -> bool:
    scores, files = [run.score for run in runs], {run.csv for run in runs}
    return len(runs) >= ENOUGH_SEEDS and None not in scores and len(set(scores)) == 1 and len(files) > 1


def _is_wild(runs: Sequence[Run]) -> bool:
    scored = [run for run in runs if run.score is not None]
    best = any(run.medal is Medal.GOLD for run in scored)
    return best and any(not run.above_median for run in scored)


NO_SPREAD = Signal(
    code="no-spread",
    title="No spread between seeds",
    severity=Severity.NOTICE,
    meaning="One solution may have been handed in under several seeds. Innocent: a deterministic method.",
    find=find_no_spread,
)
WILD = Signal(
    code="wild-spread",
    title="Seeds differ wildly",
    severity=Severity.NOTICE,
    meaning="The good seed may not be a repetition of the others. Innocent: an unstable agent.",
    find=find_wild,
)
