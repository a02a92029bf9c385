"""Does a person answer for exactly this run card?"""

from leaderboard.integrity.checks.base import (
    CLEAN,
    NO_PRIVATE_LB,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    declared,
    machine_checked,
)
from submissions.run_card import canonical_digest


def judge(disclosure: Disclosure) -> Verdict:
    attestation = disclosure.part("attestation")
    by = f"{attestation['name']} on {attestation['date']}"
    digest = attestation.get("digest")
    if digest is None:
        return declared(f"Given by {by}.", "given")
    if digest != canonical_digest(disclosure.document):
        return contradicted(f"Given by {by} for a run card with other answers.", digest=digest)
    return machine_checked(f"Given by {by} for exactly these answers.", "given", digest=digest)


CHECK = Check(
    code="attestation",
    title="Attestation",
    severity=Severity.WARNING,
    sentence="A person of the team answers for the run card by name and date; the digest is of its answers.",
    tracks=(CLEAN, NO_PRIVATE_LB),
    fields=("attestation",),
    judge=judge,
)
