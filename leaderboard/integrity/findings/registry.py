"""Every signal, in the order of pages and docs. A new one is a module beside this and a line here."""

from typing import Final

from leaderboard.integrity.findings import (
    alike,
    clones,
    implausible,
    leaky,
    odd_form,
    probing,
    same_card,
    spread,
)
from leaderboard.integrity.findings.facts import Found, Signal, SubmissionFacts

SIGNALS: Final[tuple[Signal, ...]] = (
    implausible.PERFECT,
    implausible.BEYOND_GOLD,
    odd_form.SIGNAL,
    leaky.SIGNAL,
    clones.CLONED_SEEDS,
    clones.TWINS,
    clones.SAME_BUNDLE,
    alike.NEAR_STRANGERS,
    alike.NEAR_SEEDS,
    same_card.SAME_CARD,
    same_card.SAME_PEOPLE,
    probing.PROBING,
    probing.RESENT,
    probing.STITCHED,
    alike.NEAR_EARLIER,
    spread.NO_SPREAD,
    spread.WILD,
)


def find_all(facts: SubmissionFacts) -> list[tuple[Signal, Found]]:
    """Everything found, in the registry's order."""
    return [(signal, found) for signal in SIGNALS for found in signal.find(facts)]
