"""Scores that no honest run is likely to have: perfect, or far beyond the best human."""

from collections.abc import Iterator

from leaderboard.integrity.checks.base import Severity, listed
from leaderboard.integrity.findings.facts import (
    CompetitionFacts,
    Found,
    Run,
    Signal,
    SubmissionFacts,
)

# Where the competition declares no margin of its own: beyond gold by as much as gold is beyond the median, the
# distance half of all human teams did not make.
MARGIN = 1.0


def find_perfect(facts: SubmissionFacts) -> Iterator[Found]:
    runs = [run for run in facts.runs if is_perfect(run, facts.competitions[run.competition])]
    if runs:
        places = [run.place for run in runs]
        yield Found(f"A perfect score in {len(runs)} runs: {listed(places)}.", {"runs": places})


def find_beyond_gold(facts: SubmissionFacts) -> Iterator[Found]:
    runs = [run for run in facts.runs if is_beyond_gold(run, facts.competitions[run.competition])]
    if runs:
        places = [run.place for run in runs]
        yield Found(
            f"Further beyond gold than is plausible on the competition, in {len(runs)} runs: {listed(places)}.",
            {"runs": places},
        )


def is_perfect(run: Run, competition: CompetitionFacts) -> bool:
    """No error at all, or everything right on a scale from 0 to 1; unless gold itself is perfect."""
    score, gold, median = run.score, competition.gold, competition.median
    if score is None or gold is None or median is None:
        return False
    return score == 0 < gold if competition.lower_is_better else 0 <= median < gold < 1 == score


def is_beyond_gold(run: Run, competition: CompetitionFacts) -> bool:
    """By more than the competition's own margin, or else by more than `MARGIN` steps from median to gold."""
    if run.score is None or competition.gold is None:
        return False
    beyond = (run.score - competition.gold) * (-1 if competition.lower_is_better else 1)
    if competition.plausible_margin is not None:
        return beyond > competition.plausible_margin
    if competition.median is None:
        return False
    step = abs(competition.gold - competition.median)
    return step != 0 and beyond / step > MARGIN


PERFECT = Signal(
    code="perfect-score",
    title="Perfect scores",
    severity=Severity.SERIOUS,
    meaning="The answers may have been known. Innocent: a tiny test set, or a competition that is solved.",
    find=find_perfect,
)
BEYOND_GOLD = Signal(
    code="beyond-gold",
    title="Far beyond gold",
    severity=Severity.WARNING,
    meaning="Labels or outside data may have been used. Innocent: methods newer than the competition.",
    find=find_beyond_gold,
)
