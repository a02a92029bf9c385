"""How far a submission's predictions have been compared, for the page of its case."""

from dataclasses import dataclass

from django import template

from leaderboard.integrity.findings.alike import NEAR_EARLIER, NEAR_SEEDS, NEAR_STRANGERS
from leaderboard.models import Finding, Likeness
from submissions.models import Submission

register = template.Library()
CODES = tuple(signal.code for signal in (NEAR_STRANGERS, NEAR_SEEDS, NEAR_EARLIER))


@dataclass(frozen=True)
class Compared:
    """`likeness`: None where it was not begun. `findings`: of predictions that are all but equal, with their pairs."""

    likeness: Likeness | None
    findings: tuple[Finding, ...]

    @property
    def is_done(self) -> bool:
        return self.likeness is not None and self.likeness.state == Likeness.State.DONE


@register.simple_tag
def likeness_of(submission: Submission) -> Compared:
    """{% likeness_of submission as compared %}; `leaderboard/_case_likeness.html` draws it."""
    likeness = Likeness.objects.filter(submission=submission).first()
    findings = submission.findings.filter(code__in=CODES) if likeness else ()
    return Compared(likeness, tuple(findings))
