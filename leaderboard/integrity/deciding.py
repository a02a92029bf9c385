"""What every decision has in common: who may make it, in view of what, all or nothing, and remembered.

`seen` is the newest decision on the entry when the maintainer looked (0: none; None: not said). Where another was
made since, nothing is decided.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import IntegrityError, transaction

from leaderboard.integrity.ledger import Grounds, Verdict, record_decision
from leaderboard.integrity.sides import find_conflict_with
from leaderboard.models import Appeal, Decision, Entry, Track
from leaderboard.standings import current_placement, refresh_standings
from submissions.models import Organisation, User
from submissions.people import tied_organisations
from submissions.states import record_event

LINK = URLValidator(schemes=["https", "http"])


class DecisionRefused(Exception):
    """Shown to the maintainer: why this cannot be decided, and what to do about it. Nothing was written."""


class DecidedAlready(DecisionRefused):
    """The same decision, sent again by the same maintainer: it was made, and nothing is left to do."""


@contextmanager
def deciding(verdict: Verdict, seen: int | None, **alike: Any) -> Iterator[None]:
    """One transaction for the checks and what is decided in view of them.

    `alike`: what else makes a decision the same as this one.
    """
    _check(verdict)
    with transaction.atomic():
        lock_entry(verdict.entry)
        _check_seen(verdict, seen, alike)
        yield


@contextmanager
def shown_at_once(verdict: Verdict, seen: int | None, **alike: Any) -> Iterator[None]:
    """The same, with the standings that show what was decided."""
    with deciding(verdict, seen, **alike):
        yield
        refresh_standings(verdict.entry.benchmark, verdict.effective_at)


def lock_entry(entry: Entry) -> None:
    """Until the transaction ends nobody else decides on the entry. SQLite has one writer anyway."""
    Entry.objects.select_for_update().get(pk=entry.pk)


def _check(verdict: Verdict) -> None:
    check_grounds(verdict.grounds)
    if verdict.by is None or not verdict.by.may_maintain:
        raise DecisionRefused("Only a maintainer who has signed in with a second factor can decide.")
    if conflict := find_conflict(verdict.by, verdict.entry):
        raise DecisionRefused(conflict)


def find_conflict(maintainer: User, entry: Entry) -> str:
    """Why this maintainer may not decide on the entry; empty if they may."""
    return find_conflict_with(maintainer, _behind(entry))


def find_conflicts(maintainer: User, entries: Iterable[Entry]) -> Mapping[int, str]:
    """The same for many, by entry: as many queries as organisations are tied to the maintainer, and not as entries."""
    tied = tied_organisations(maintainer)
    words = cache(lambda organisation: find_conflict_with(maintainer, [organisation]))
    return {
        entry.pk: next((words(each) for each in _behind(entry) if each.pk in tied), "") for entry in entries
    }


def _behind(entry: Entry) -> set[Organisation]:
    """The organisations that an entry is of."""
    handed_in = {entry.submission.team.organisation} if entry.submission else set()
    return {entry.agent.organisation, *handed_in}


def _check_seen(verdict: Verdict, seen: int | None, alike: Mapping[str, Any]) -> None:
    """Raises DecisionRefused where a decision was made since; DecidedAlready where it is this very one."""
    if seen is None:
        return
    later = verdict.entry.decisions.filter(pk__gt=seen).order_by("-pk")
    same = later.filter(
        decided_by=verdict.by, kind=verdict.kind, track=verdict.track, **words_of(verdict.grounds), **alike
    )
    if done := same.first():
        raise DecidedAlready(f"This was decided already, by decision {done.pk}; nothing was changed.")
    if newest := later.first():
        raise DecisionRefused(
            f"Decision {newest.pk} was made since you opened this form. Look at the entry again."
        )


def words_of(grounds: Grounds) -> dict[str, Any]:
    """Grounds as decisions and flags keep them."""
    return {
        "reason": grounds.reason.strip(),
        "rule": grounds.rule.strip(),
        "evidence_url": grounds.evidence_url.strip(),
        "evidence_is_private": grounds.evidence_is_private,
    }


def check_grounds(grounds: Grounds) -> None:
    """Raises DecisionRefused with everything that is missing."""
    needed = {
        "a reason": bool(grounds.reason.strip()),
        "the rule it applies, in 200 characters or fewer": 0 < len(grounds.rule.strip()) <= 200,
        "a link to the evidence, starting with https://": is_link(grounds.evidence_url.strip()),
    }
    missing = [name for name, given in needed.items() if not given]
    if missing:
        raise DecisionRefused(f"A decision is public and needs {', '.join(missing)}.")


def is_link(text: str) -> bool:
    """Whether it is a web address that fits its column."""
    try:
        LINK(text)
    except ValidationError:
        return False
    return len(text) <= 500


def make_decision(verdict: Verdict, now: datetime) -> Decision:
    try:
        return record_decision(verdict, now)
    except IntegrityError as error:
        raise DecisionRefused(
            "Somebody else decided at the same moment. Look again before you repeat it."
        ) from error


def is_withdrawn(entry: Entry) -> bool:
    return entry.decisions.filter(kind=Decision.Kind.WITHDRAW).exists()


def refuse_withdrawn(entry: Entry) -> None:
    if is_withdrawn(entry):
        raise DecisionRefused("This entry was withdrawn for good; nothing more can be decided on it.")


def refuse_appealed(decision: Decision | None) -> None:
    """An open appeal is answered by its own decision, and not passed by with another in place of the appealed one."""
    if decision and Appeal.objects.filter(decision=decision, answer=None).exists():
        raise DecisionRefused(
            f"The team has appealed against decision {decision.pk}. Answer the appeal instead."
        )


def standing_on(entry: Entry, now: datetime) -> Track:
    """The track the entry stands on now. Raises DecisionRefused where it stands on none."""
    refuse_withdrawn(entry)
    placement = current_placement(entry, now)
    if placement is None:
        raise DecisionRefused("This entry is on no board yet. Publish it first.")
    return placement.track


def remember(entry: Entry, decision: Decision, now: datetime) -> None:
    """The event by which the submission remembers the decision, hash and all."""
    if entry.submission is not None:
        detail = {"number": decision.pk, "hash": decision.hash, "kind": decision.kind}
        record_event(entry.submission, "decision", at=now, actor=decision.decided_by, detail=detail)
