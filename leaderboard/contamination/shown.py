"""What maintainers see of the comparisons of medals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.models import Contamination, Placement
from submissions.models import Submission


@dataclass(frozen=True)
class ContaminationShown:
    """`is_public`: the entry is published, so that its own medal rates may be seen."""

    table: Contamination
    lines: Sequence[dict[str, Any]]
    is_public: bool


def contamination_of(submission: Submission) -> ContaminationShown | None:
    """None before the review has opened."""
    table = Contamination.objects.filter(submission=submission).first()
    if table is None:
        return None
    is_public = Placement.objects.filter(entry__submission=submission).exists()
    return ContaminationShown(table, table.lines, is_public)
