"""What a maintainer found a claim to be worth, by a numbered decision. Only the newest word on a claim counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from leaderboard.integrity.deciding import (
    DecisionRefused,
    deciding,
    make_decision,
    refuse_appealed,
    refuse_withdrawn,
    remember,
)
from leaderboard.integrity.ledger import Grounds, Verdict
from leaderboard.integrity.rulings import say_of, say_verified
from leaderboard.models import Claim, Decision, Entry
from submissions.models import User

LONGEST_SENTENCE, LONGEST_ANSWER = 500, 100


@dataclass(frozen=True)
class Ruling:
    """What was found. `answer`: the word that tracks accept or refuse; `sentence`: for readers, beside the claim."""

    holds: bool
    answer: str
    sentence: str


def verify_claim(
    claim: Claim, ruling: Ruling, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """The claim is maintainer-verified from now on or, where it does not hold, contradicted."""
    if not 0 < len(ruling.sentence.strip()) <= LONGEST_SENTENCE or len(ruling.answer) > LONGEST_ANSWER:
        raise DecisionRefused(
            f"Say in one sentence of at most {LONGEST_SENTENCE} characters what is true. It is shown with the claim."
        )
    said = say_verified(claim.code, ruling.holds, ruling.answer.strip(), ruling.sentence.strip())
    return _rule(claim, said, grounds, by, now, seen)


def lift_ruling(claim: Claim, grounds: Grounds, by: User, now: datetime, seen: int | None = None) -> Decision:
    """The claim says again what it said before a maintainer verified it."""
    if claim.decision is None or claim.decision.details.get("is_lifted"):
        raise DecisionRefused("No maintainer has verified this claim, so there is nothing to lift.")
    return _rule(claim, claim.decision.details["before"], grounds, by, now, seen, is_lifted=True)


def _rule(
    claim: Claim,
    said: Mapping[str, Any],
    grounds: Grounds,
    by: User,
    now: datetime,
    seen: int | None,
    is_lifted: bool = False,
) -> Decision:
    entry, earlier = _entry_of(claim), _newest(claim.decision)
    details = {
        "claim": claim.code,
        "title": claim.title,
        "now": dict(said),
        "before": earlier.details["before"] if earlier else say_of(claim),
        "is_lifted": is_lifted,
    }
    verdict = Verdict(Decision.Kind.VERIFY, entry, grounds, by, now, supersedes=earlier, details=details)
    with deciding(verdict, seen, details__claim=claim.code, details__is_lifted=is_lifted):
        refuse_withdrawn(entry)
        refuse_appealed(earlier)
        decision = make_decision(verdict, now)
        _write(claim, said, decision)
        remember(entry, decision, now)
    claim.refresh_from_db()
    return decision


def _entry_of(claim: Claim) -> Entry:
    entry: Entry | None = getattr(claim.submission, "entry", None)
    if entry is None:
        raise DecisionRefused("A claim can be verified once the review is open.")
    return entry


def _newest(decision: Decision | None) -> Decision | None:
    """The decision, or whatever superseded it: its grounds may have been corrected since."""
    while decision is not None and (later := Decision.objects.filter(supersedes=decision).first()):
        decision = later
    return decision


def _write(claim: Claim, said: Mapping[str, Any], decision: Decision) -> None:
    """Only the claim that was looked at changes: whoever ruled on it in between was not seen."""
    columns = {name: said[name] for name in ("state", "holds", "sentence", "severity")}
    evidence = {**claim.evidence, "answer": said["answer"]}
    looked_at = Claim.objects.filter(pk=claim.pk, decision=claim.decision_id, state=claim.state)
    if not looked_at.update(evidence=evidence, decision=decision, **columns):
        raise DecisionRefused("Somebody ruled on this claim a moment ago. Look at the case again.")
