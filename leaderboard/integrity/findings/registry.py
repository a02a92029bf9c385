"""Every signal, in the order of pages and docs. A new one is a module beside this and a line here."""

from typing import Final

from leaderboard.integrity.findings import clones, implausible, leaky, probing, spread
from leaderboard.integrity.findings.facts import Found, Signal, SubmissionFacts

SIGNALS: Final[tuple[Signal, ...]] = (
    implausible.PERFECT,
    implausible.BEYOND_GOLD,
    leaky.SIGNAL,
    clones.CLONED_SEEDS,
    clones.TWINS,
    clones.SAME_BUNDLE,
    probing.PROBING,
    probing.STITCHED,
    spread.NO_SPREAD,
    spread.WILD,
)


def find_all(facts: SubmissionFacts) -> list[tuple[Signal, Found]]:
    """Everything found, in the registry's order."""
    return [(signal, found) for signal in SIGNALS for found in signal.find(facts)]
