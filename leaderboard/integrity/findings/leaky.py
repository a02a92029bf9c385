"""Gold on competitions whose labels are known to leak."""

from collections.abc import Iterator

from grading.medals import Medal
from leaderboard.integrity.checks.base import Severity, listed
from leaderboard.integrity.findings.facts import Found, Signal, SubmissionFacts


def find(facts: SubmissionFacts) -> Iterator[Found]:
    leaky = {name for name, competition in facts.competitions.items() if competition.has_known_leak}
    runs = [run for run in facts.runs if run.competition in leaky and run.medal is Medal.GOLD]
    if runs:
        places = [run.place for run in runs]
        yield Found(f"Gold on competitions with a known leak: {listed(places)}.", {"runs": places})


SIGNAL = Signal(
    code="gold-on-leaky",
    title="Gold where a leak is known",
    severity=Severity.NOTICE,
    meaning="The known leak may have been used; the run card should name it. Innocent: a good run.",
    find=find,
)
