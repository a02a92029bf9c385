"""Promises of source: a day on the run card, the link the team gives, and what the claim says once the day is over.

The machine restates the claim, a person decides: `sweep_promises` moves nothing, it only takes away what the promise
had stood for. The claim `scaffold` is undisclosed from then on, so that Clean is no longer proposed, exactly as if the
question had been left open. A link comes with the team's word and counts once a maintainer has verified it.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from leaderboard.integrity.checks import Severity, State
from leaderboard.integrity.deciding import is_link
from leaderboard.integrity.rulings import EXPIRED
from leaderboard.models import Claim, SourcePromise
from submissions.models import Submission, User
from submissions.run_card import normalise
from submissions.states import record_event

CODE = "scaffold"
PROMISED = "promised"
Status = Submission.Status
REVIEWED = (Status.IN_REVIEW, Status.PUBLISHED)


class PromiseRefused(Exception):
    """Shown to the team: why the link was not taken. Nothing was written."""


def promised_on(submission: Submission) -> date | None:
    """The day of the confirmed run card by which the source will be public; None where none was promised."""
    card = submission.confirmed_revision
    scaffold: dict[str, Any] = normalise(card.document).get("scaffold", {}) if card else {}
    if scaffold.get("source_url") or scaffold.get("closed"):
        return None
    return _to_day(scaffold.get("source_promise", {}).get("date", ""))


def _to_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:  # 30 February: the schema knows no calendar.
        return None


def show_source(submission: Submission, url: str, by: User, now: datetime) -> SourcePromise:
    """Keeps the link that the team gives for the promised source, the newest in place of an older one."""
    due_on = promised_on(submission)
    if due_on is None or submission.status not in REVIEWED:
        raise PromiseRefused("No source was promised for this submission, or it is not in review yet.")
    if not submission.team.members.filter(user=by).exists():
        raise PromiseRefused("Only a member of the team that handed it in can give the link.")
    if not is_link(url.strip()):
        raise PromiseRefused("The link must start with https:// and have at most 500 characters.")
    with transaction.atomic():
        promise, _ = SourcePromise.objects.update_or_create(
            submission=submission,
            defaults={"url": url.strip(), "shown_at": now, "shown_by": by},
            create_defaults={"due_on": due_on, "url": url.strip(), "shown_at": now, "shown_by": by},
        )
        record_event(submission, "source_shown", at=now, actor=by, detail={"url": url.strip()})
    return promise


def sweep_promises(now: datetime) -> int:
    """Restates every claim whose promise has passed its day without a link. Returns how many; again, none."""
    return sum(_expire(claim, due_on, now) for claim, due_on in list(_overdue(now)))


def _overdue(now: datetime) -> Iterator[tuple[Claim, date]]:
    """The day itself still counts, to its end in UTC."""
    promised = Claim.objects.filter(
        Q(submission__source_promise=None) | Q(submission__source_promise__shown_at=None),
        code=CODE,
        evidence__answer=PROMISED,
        submission__status__in=REVIEWED,
    )
    for claim in promised.select_related("submission"):
        due_on = _to_day(str(claim.evidence.get("promised_by", "")))
        if due_on is not None and due_on < now.date():
            yield claim, due_on


def _expire(claim: Claim, due_on: date, now: datetime) -> bool:
    sentence = f"Source promised for {due_on:%Y-%m-%d}; the day passed and no link came."
    with transaction.atomic():
        promise, _ = SourcePromise.objects.get_or_create(
            submission=claim.submission, defaults={"due_on": due_on}
        )
        unshown = SourcePromise.objects.filter(pk=promise.pk, shown_at=None)
        # A link that came a moment ago is in time: the claim stays as it is.
        if not unshown.update(expired_at=promise.expired_at or now):
            return False
        still_promised = Claim.objects.filter(pk=claim.pk, evidence__answer=PROMISED)
        restated = still_promised.update(
            state=State.UNDISCLOSED.value,
            holds=False,
            severity=Severity.NOTICE.value,
            sentence=sentence,
            evidence={**claim.evidence, "answer": EXPIRED},
        )
        if restated and promise.expired_at is None:
            record_event(claim.submission, "promise_expired", at=now, detail={"due_on": f"{due_on}"})
    return bool(restated)
