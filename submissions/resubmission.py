"""Which earlier submission a new one replaces, and what changed. Both stay on record; it is no status."""

from dataclasses import dataclass

from django.db.models import QuerySet

from submissions.models import Submission, Team, User

Status = Submission.Status
LONGEST_CHANGE = 2000
# What never got so far that anybody could speak of it.
NOTHING_TO_REPLACE = (Status.UPLOADING, Status.ABANDONED)


@dataclass(frozen=True)
class Replaces:
    """What the team says. `earlier`: None where it replaces nothing, and then there is no change to tell."""

    earlier: Submission | None = None
    what_changed: str = ""


def replaceable(user: User, submission: Submission | None = None) -> QuerySet[Submission]:
    """What somebody may name as replaced: earlier submissions of their teams; newest first.

    With a submission: those that this very one can replace.
    """
    found = Submission.objects.listed_for(user).exclude(status__in=NOTHING_TO_REPLACE)
    if submission is not None:
        found = found.filter(
            team__organisation=submission.team.organisation_id,
            benchmark=submission.benchmark_id,
            created_at__lte=submission.created_at,
        ).exclude(pk=submission.pk)
    return found.select_related("team__organisation", "benchmark")


def find_mismatch(earlier: Submission, team: Team, benchmark_id: int) -> str:
    """Why a submission of this team cannot replace the earlier one; empty where it can."""
    if earlier.team.organisation_id == team.organisation_id and earlier.benchmark_id == benchmark_id:
        return ""
    return "Choose a submission of the same organisation and benchmark."


def find_fault(submission: Submission, said: Replaces) -> tuple[str, str, str] | None:
    """What is wrong with it as code, where and message; None where it can be confirmed like this."""
    earlier = said.earlier
    if earlier is None:
        return None
    if earlier.pk == submission.pk or earlier.created_at > submission.created_at:
        return "not_earlier", "supersedes", "It can only replace a submission that was begun before it."
    if mismatch := find_mismatch(earlier, submission.team, submission.benchmark_id):
        return "not_comparable", "supersedes", mismatch
    if not 0 < len(said.what_changed.strip()) <= LONGEST_CHANGE:
        return (
            "no_change_said",
            "what_changed",
            f"Say in at most {LONGEST_CHANGE:,} characters what changed since the submission it replaces. "
            "It is shown with the entry.",
        )
    return None


def columns_of(said: Replaces) -> dict[str, object]:
    """As a submission keeps it."""
    changed = said.what_changed.strip() if said.earlier else ""
    return {"supersedes": said.earlier, "what_changed": changed}
