"""Which process reaches which step of a submission's life. A declared step that is missing here fails the trials."""

from collections.abc import Mapping, Sequence

PLACES: Mapping[str, tuple[str, ...]] = {
    "web": (
        "part_stored",
        "part_recorded",
        "parts_announced",
        "object_made",
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
# Where parts come through the site, and where they go straight into a bucket.
THROUGH_THE_SITE, DIRECT = {"part_stored", "part_recorded"}, {"parts_announced", "object_made"}
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


def steps_on(is_direct: bool, steps: Sequence[str] = STEPS) -> list[str]:
    """Those of the steps that a submission comes by on a site whose parts go into a bucket, or not."""
    return [step for step in steps if step not in (THROUGH_THE_SITE if is_direct else DIRECT)]


def rounds(is_direct: bool, at_once: int = 4) -> list[tuple[str, ...]]:
    """The steps in groups: of each process not more than it may be killed at while one submission lives.

    A file at which every attempt dies is given up, as it should be; so many attempts no group may take.
    """
    lists = [steps_on(is_direct, steps) for steps in PLACES.values()]
    starts = range(0, max(map(len, lists)), at_once)
    return [tuple(step for steps in lists for step in steps[start : start + at_once]) for start in starts]
