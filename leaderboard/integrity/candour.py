"""Who first said what put an entry under a warning: its own run card, or nobody. Pure."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from leaderboard.integrity.checks.base import ClaimResult, State
from leaderboard.integrity.checks.held_out_signal import CHECK, LADDER

# Signals that no ranked track takes.
TELLING = LADDER[LADDER.index("medal_or_threshold") :]


# In a decision's details: the run card left open what the track turns on.
OPEN = "undisclosed"


class Candour(StrEnum):
    """In the word that boards show; empty where neither applies, as where something contradicts the run card."""

    SELF_REPORTED = "self-reported"
    UNDISCLOSED = "undisclosed"
    NEITHER = ""


def candour_of(claims: Iterable[ClaimResult]) -> Candour:
    """How the run card answers for the signal from held-out data. What a check found out is not self-reported."""
    claim = next((claim for claim in claims if claim.code == CHECK.code), None)
    if claim is None or claim.state is State.CONTRADICTED:
        return Candour.NEITHER
    if claim.state is State.UNDISCLOSED:
        return Candour.UNDISCLOSED
    return Candour.SELF_REPORTED if claim.evidence.get("declared") in TELLING else Candour.NEITHER


def candour_said(is_self_reported: bool, details: Mapping[str, Any]) -> Candour:
    """The same as a decision has it on record."""
    if is_self_reported:
        return Candour.SELF_REPORTED
    return Candour.UNDISCLOSED if details.get(OPEN) else Candour.NEITHER
