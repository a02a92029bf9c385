"""Appeals: the team objects to a decision on its entry, and a second maintainer grants or denies it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from leaderboard.integrity.appeal_record import FILED, details_of, remembering
from leaderboard.integrity.deciding import (
    DecidedAlready,
    DecisionRefused,
    deciding,
    find_conflict,
    is_link,
    is_withdrawn,
    lock_entry,
    make_decision,
    remember,
    shown_at_once,
    words_of,
)
from leaderboard.integrity.ledger import Grounds, Verdict
from leaderboard.integrity.masking import apply_plan, masked_by
from leaderboard.integrity.masking_plan import plan_masks
from leaderboard.integrity.sides import leads_team
from leaderboard.models import Appeal, Decision, Flag, Placement, Track
from leaderboard.standings import current_placement
from submissions.models import User
from submissions.states import record_event

Kind = Decision.Kind
# What can be appealed, and what a granted appeal does to it.
EFFECTS: Final[Mapping[str, str]] = {
    Kind.PUBLISH: "puts the entry on the track that the second maintainer chooses",
    Kind.MOVE: "moves the entry back, or to another track that the second maintainer chooses",
    Kind.FLAG: "dismisses the flag",
    Kind.MASK: "counts the competitions again",
    Kind.ANNOTATE: "marks the note as superseded",
    Kind.WITHDRAW: "says on record that the entry should not have been withdrawn. A withdrawal is for good: the entry "
    "does not come back to its boards, and the same bundle may be handed in anew",
}
PLACING: Final = (Kind.PUBLISH, Kind.MOVE)


@dataclass(frozen=True)
class Objection:
    """What a team says against a decision, and where that can be seen."""

    reason: str
    evidence_url: str
    evidence_is_private: bool = False

    @property
    def words(self) -> dict[str, str | bool]:
        return {
            "reason": self.reason.strip(),
            "evidence_url": self.evidence_url.strip(),
            "evidence_is_private": self.evidence_is_private,
        }


def closes_at(decision: Decision) -> datetime:
    """The last moment at which the decision can be appealed."""
    return decision.recorded_at + Appeal.OPEN_FOR


def may_be_appealed(decision: Decision, now: datetime) -> bool:
    """Whether its team could appeal against it now; whoever asks."""
    return not _objection_to(decision, now) and not hasattr(decision, "appeal")


def _objection_to(decision: Decision, now: datetime) -> str:
    """Why the decision cannot be appealed at all; empty if it can."""
    if decision.kind not in EFFECTS:
        return f"A decision of this kind cannot be appealed: {decision.get_kind_display()}."
    if newer := Decision.objects.filter(supersedes=decision).first():
        return f"Decision {newer.pk} stands in its place. Appeal against that one."
    if now > closes_at(decision):
        return f"It could be appealed until {_say(closes_at(decision))}, {_days(Appeal.OPEN_FOR)} after it was made."
    return ""


def file_appeal(decision: Decision, objection: Objection, by: User, now: datetime) -> Appeal:
    """The team's appeal, once per decision and in time. The same one sent again is the one that was filed."""
    if not leads_team(by, decision.entry):
        raise DecisionRefused("Only an owner of the entry's own team appeals in its name.")
    _check_words(objection)
    with transaction.atomic():
        lock_entry(decision.entry)
        if known := Appeal.objects.filter(decision=decision).first():
            return _the_same(known, objection)
        if refusal := _objection_to(decision, now):
            raise DecisionRefused(refusal)
        appeal = Appeal.objects.create(decision=decision, filed_by=by, filed_at=now, **objection.words)
        if submission := decision.entry.submission:
            record_event(submission, FILED, at=now, actor=by, detail=remembering(appeal))
        return appeal


def _check_words(objection: Objection) -> None:
    if not objection.reason.strip() or not is_link(objection.evidence_url.strip()):
        raise DecisionRefused("An appeal needs a reason and a link to the evidence, starting with https://.")


def _the_same(known: Appeal, objection: Objection) -> Appeal:
    if any(getattr(known, name) != value for name, value in objection.words.items()):
        raise DecisionRefused(f"An appeal against this decision was filed on {_say(known.filed_at)} already.")
    return known


def open_appeals() -> QuerySet[Appeal]:
    """Those that wait for a second maintainer, the longest first; `due_at` is their clock."""
    found = Appeal.objects.filter(answer=None).order_by("filed_at", "pk")
    return found.select_related(
        "decision__entry__agent__organisation",
        "decision__entry__benchmark",
        "decision__entry__submission__team__organisation",
        "decision__track",
        "decision__decided_by",
    )


def find_appeal_conflict(maintainer: User, appeal: Appeal) -> str:
    """Why this maintainer may not answer the appeal; empty if they may."""
    if maintainer.pk in authors_of(appeal.decision):
        return "You made the decision that is appealed. Another maintainer must answer the appeal."
    return find_conflict(maintainer, appeal.decision.entry)


def authors_of(decision: Decision) -> set[int | None]:
    """Who decided it, and who decided the same before it was put into other words."""
    authors, earlier = {decision.decided_by_id}, decision.supersedes
    while earlier and (earlier.kind, earlier.track_id) == (decision.kind, decision.track_id):
        authors.add(earlier.decided_by_id)
        earlier = earlier.supersedes
    return authors


def grant_appeal(
    appeal: Appeal,
    grounds: Grounds,
    by: User,
    now: datetime,
    track: Track | None = None,
    seen: int | None = None,
) -> Decision:
    """Supersedes the appealed decision and undoes what it did, as EFFECTS says.

    `track`: where the entry goes if the appealed decision places it still; where it stood before, if not given.
    """
    decision, entry = appeal.decision, appeal.decision.entry
    verdict = Verdict(
        Kind.GRANT, entry, grounds, by, now, details=details_of(appeal), supersedes=_standing(decision)
    )
    _check_answerable(appeal, verdict)
    with shown_at_once(verdict, seen):
        if decision.kind == Kind.MASK and not is_withdrawn(entry) and (masked := masked_by(decision)):
            answer = apply_plan(plan_masks(entry, unmask=masked), verdict, now)
        else:
            answer = make_decision(replace(verdict, track=_place_for(decision, track, now)), now)
            remember(entry, answer, now)
        Flag.objects.filter(decision=decision).update(state=Flag.State.DISMISSED, decision=answer)
        _answer(appeal, answer)
    return answer


def deny_appeal(
    appeal: Appeal, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Leaves the appealed decision as it is, for reasons of its own."""
    verdict = Verdict(Kind.DENY, appeal.decision.entry, grounds, by, now, details=details_of(appeal))
    _check_answerable(appeal, verdict)
    with deciding(verdict, seen):
        answer = make_decision(verdict, now)
        remember(verdict.entry, answer, now)
        _answer(appeal, answer)
    return answer


def _check_answerable(appeal: Appeal, verdict: Verdict) -> None:
    """Raises DecisionRefused where this maintainer may not answer, or somebody has."""
    assert verdict.by is not None
    if conflict := find_appeal_conflict(verdict.by, appeal):
        raise DecisionRefused(conflict)
    answer = Appeal.objects.select_related("answer").get(pk=appeal.pk).answer
    if answer is None:
        return
    words = words_of(verdict.grounds)
    same = (answer.decided_by_id, answer.kind) == (verdict.by.pk, verdict.kind)
    if same and all(getattr(answer, name) == value for name, value in words.items()):
        raise DecidedAlready(f"This was decided already, by decision {answer.pk}; nothing was changed.")
    raise DecisionRefused(f"Decision {answer.pk} has answered this appeal. Look at it again.")


def _answer(appeal: Appeal, answer: Decision) -> None:
    """Of two maintainers at once, one answers."""
    if not Appeal.objects.filter(pk=appeal.pk, answer=None).update(answer=answer):
        raise DecisionRefused("Somebody answered this appeal a moment ago. Look at it again.")
    appeal.refresh_from_db()


def _standing(decision: Decision) -> Decision | None:
    """The decision, unless another stands in its place by now."""
    return None if Decision.objects.filter(supersedes=decision).exists() else decision


def _place_for(decision: Decision, track: Track | None, now: datetime) -> Track | None:
    """Where the entry goes. Nowhere, unless the appealed decision places it still."""
    if not places_still(decision, now):
        return None
    chosen = track or track_before(decision)
    if chosen is None or chosen == decision.track:
        raise DecisionRefused(
            f"The decision put the entry on {decision.track}. Choose the track it belongs on instead."
        )
    return chosen


def places_still(decision: Decision, now: datetime) -> bool:
    """Whether the entry stands where it does by this very decision."""
    if decision.kind not in PLACING or is_withdrawn(decision.entry):
        return False
    placement = current_placement(decision.entry, now)
    return placement is not None and placement.decision_id == decision.pk


def track_before(decision: Decision) -> Track | None:
    """The track on which the entry stood before the decision."""
    earlier = Placement.objects.filter(entry=decision.entry_id, decision__lt=decision.pk)
    placement = earlier.order_by("-effective_at", "-pk").select_related("track").first()
    return placement.track if placement else None


def _say(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _days(span: timedelta) -> str:
    return f"{span.days} days"
