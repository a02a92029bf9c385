"""Which process reaches which step of a submission's life. A declared step that is missing here fails the trials."""

from collections.abc import Mapping

PLACES: Mapping[str, tuple[str, ...]] = {
    "web": (
        "part_stored",
        "part_recorded",
        "upload_completed",
        "ring_due",
        "ring_sent",
        "confirmation_written",
        "confirmed",
        "decision_written",
        "standings_built",
        "snapshot_switched",
        "published",
    ),
    "intake": (
        "intake_claimed",
        "bundle_read",
        "blob_stored",
        "files_stored",
        "runs_written",
        "bundle_recorded",
        "likeness_claimed",
        "likeness_read",
    ),
    "grading": (
        "grading_claimed",
        "blob_copied",
        "sandbox_entered",
        "result_reached",
        "result_recorded",
    ),
    "evidence": ("reading_claimed", "evidence_read", "evidence_recorded", "reading_finished"),
    "housekeeping": (
        "submission_started",
        "grading_asked",
        "grading_finished",
        "entry_created",
        "findings_raised",
        "review_opened",
        "likeness_compared",
        "receipts_signed",
        "receipts_written",
        "checkpoint_recorded",
        "news_told",
    ),
    "notices": ("mail_sent",),
}
# Of each process a step inside what it does, and one behind.
QUICK = (
    "upload_completed",
    "decision_written",
    "blob_stored",
    "bundle_recorded",
    "sandbox_entered",
    "result_recorded",
    "evidence_read",
    "grading_asked",
    "entry_created",
    "mail_sent",
)
STEPS = tuple(step for steps in PLACES.values() for step in steps)


def rounds(at_once: int = 2) -> list[tuple[str, ...]]:
    """The steps in groups: of each process not more than it may be killed at while one submission lives.

    A file at which every attempt dies is given up, as it should be; so many attempts no group may take.
    """
    longest = max(map(len, PLACES.values()))
    starts = range(0, longest, at_once)
    return [tuple(s for steps in PLACES.values() for s in steps[start : start + at_once]) for start in starts]
