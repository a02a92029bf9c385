"""A promise of source as pages and API tell it."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from leaderboard.integrity.promises import CODE, promised_on
from leaderboard.models import Claim, SourcePromise
from submissions.models import Submission


class PromiseState(StrEnum):
    """`shown`: the team gave a link that nobody has verified yet; `kept`: a maintainer has."""

    OPEN = "open"
    EXPIRED = "expired"
    SHOWN = "shown"
    KEPT = "kept"
    REFUSED = "refused"


SENTENCES = {
    PromiseState.OPEN: "promised for {day}",
    PromiseState.EXPIRED: "promised for {day}, expired",
    PromiseState.SHOWN: "promised for {day}; the team gave a link, which a maintainer has not looked at yet",
    PromiseState.KEPT: "promised for {day}, and public",
    PromiseState.REFUSED: "promised for {day}; a maintainer found that the link does not hold it",
}


@dataclass(frozen=True)
class PromiseWords:
    """What became of the promise. `url`: as the team gave it."""

    due_on: date
    state: PromiseState
    url: str = ""
    shown_at: datetime | None = None

    @property
    def sentence(self) -> str:
        return SENTENCES[self.state].format(day=self.due_on.isoformat())


def promise_of(submission: Submission) -> PromiseWords | None:
    """The promise of a submission's run card; None where none was made."""
    due_on = promised_on(submission)
    if due_on is None:
        return None
    row = SourcePromise.objects.filter(submission=submission).first()
    claim = submission.claims.filter(code=CODE).select_related("decision").first()
    return PromiseWords(due_on, _state_of(row, claim), row.url if row else "", row.shown_at if row else None)


def _state_of(row: SourcePromise | None, claim: Claim | None) -> PromiseState:
    if row is None or (row.shown_at is None and row.expired_at is None):
        return PromiseState.OPEN
    if row.shown_at is None:
        return PromiseState.EXPIRED
    ruling = claim.decision if claim else None
    if claim is None or ruling is None or ruling.recorded_at < row.shown_at:
        return PromiseState.SHOWN
    return PromiseState.KEPT if claim.holds else PromiseState.REFUSED
