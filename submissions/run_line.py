"""One run as a team may see it: how it ended, never what it scored. Pure."""

from dataclasses import dataclass

PENDING = "pending"
MISSING = "missing"
OUTSIDE = "outside_scope"


@dataclass(frozen=True)
class RunLine:
    """One seed on one competition. `outcome`: of the grading, or pending, missing, outside_scope."""

    seed: str
    competition: str
    split: str
    outcome: str
    code: str = ""
    message: str = ""
