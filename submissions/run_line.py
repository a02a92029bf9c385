"""One run as a team may see it: how it ended, never what it scored. Pure."""

from dataclasses import dataclass

PENDING = "pending"
MISSING = "missing"
OUTSIDE = "outside_scope"
# All other outcomes give their run something to read.
FINE = frozenset({"scored", PENDING, MISSING, OUTSIDE})


@dataclass(frozen=True)
class RunLine:
    """One seed on one competition. `outcome`: of the grading, or pending, missing, outside_scope."""

    seed: str
    competition: str
    split: str
    outcome: str
    code: str = ""
    message: str = ""


def label_order(label: str) -> tuple[int, str]:
    """Sorts seeds: shorter first, so that seed-10 comes after seed-9."""
    return len(label), label
