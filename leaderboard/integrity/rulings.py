"""What a decision about a claim says of it, as plain data in the decision's hashed details."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from leaderboard.integrity.chain import Break
from leaderboard.integrity.checks import CHECKS, Severity, State
from leaderboard.models import Claim, Decision

# The machine's word once the day of a promise has passed: newer than any ruling about the promise.
EXPIRED: Final = "expired"


def say_of(claim: Claim) -> dict[str, Any]:
    """The claim as it stands."""
    return {
        "state": str(claim.state),
        "holds": claim.holds,
        "sentence": claim.sentence,
        "severity": claim.severity,
        "answer": str(claim.evidence.get("answer", "")),
    }


def say_verified(code: str, holds: bool, answer: str, sentence: str) -> dict[str, Any]:
    """The claim as a maintainer found it. `holds`: whether it is true; tracks may refuse a true answer."""
    state = State.MAINTAINER_VERIFIED if holds else State.CONTRADICTED
    return {
        "state": state.value,
        "holds": holds and is_taken(code, answer),
        "sentence": sentence,
        "severity": (Severity.INFO if holds else Severity.SERIOUS).value,
        "answer": answer,
    }


def is_taken(code: str, answer: str) -> bool:
    """Whether the strictest track that asks takes this answer."""
    check = next((check for check in CHECKS if check.code == code), None)
    if check is None or not check.tracks:
        return True
    return answer in check.accepts.get(check.tracks[0], (answer,))


def known_answers(code: str) -> list[str]:
    """The answers that tracks tell apart for this claim; empty where they take any."""
    check = next((check for check in CHECKS if check.code == code), None)
    found = [answer for taken in check.accepts.values() for answer in taken] if check else []
    return list(dict.fromkeys(found))


def say_ruling(details: Mapping[str, Any]) -> str:
    """What a decision about a claim did, in a few words."""
    title = f"“{details.get('title', details.get('claim', ''))}”"
    if details.get("is_lifted"):
        return f"ruling on the claim {title} lifted"
    holds = details.get("now", {}).get("state") == State.MAINTAINER_VERIFIED
    return f"claim {title} verified" if holds else f"claim {title} found not to hold"


def find_unbacked_claims() -> Iterator[Break]:
    """Claims that say something else than the newest decision about them, or that no decision verified."""
    verified = Claim.objects.filter(state=Claim.State.MAINTAINER_VERIFIED, decision=None)
    for claim in verified.select_related("submission"):
        yield Break(0, f"(none) verified the claim {claim.code} of {claim.submission}, which says so")
    rulings = Decision.objects.filter(kind=Decision.Kind.VERIFY, details__has_key="claim").order_by("pk")
    newest = {(ruling.entry_id, ruling.details["claim"]): ruling for ruling in rulings}
    claims = {
        (claim.submission.entry.pk, claim.code): claim
        for claim in Claim.objects.filter(
            submission__entry__in=[entry for entry, _ in newest]
        ).select_related("submission__entry")
    }
    for key, ruling in newest.items():
        if not _agrees(claims.get(key), ruling.details["now"]):
            yield Break(ruling.pk, f"says something else of the claim {key[1]} than the claim does now")


def _agrees(claim: Claim | None, said: Mapping[str, Any]) -> bool:
    if claim is None:
        return False
    now = say_of(claim)
    return now == said or now["answer"] == EXPIRED
