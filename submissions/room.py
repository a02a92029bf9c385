"""How much people may have here before a maintainer has verified who they are."""

from typing import Any, Final

from django.db.models import Q, QuerySet, Sum

from grading.models import Blob
from submissions.bundle import Budget
from submissions.models import EvidenceFile, Run, Submission, Team, TeamMember, Upload, User

# A bundle that was rejected is mended and uploaded again. So many may wait to be read, since a hundred megabytes may
# hold as much as the largest, and as large may be what was read.
LARGEST_BUNDLES: Final = 3
ORGANISATIONS: Final = 3
LARGEST_BYTES: Final = Budget.total_bytes
Status = Submission.Status
UNREAD = (Status.UPLOADING, Status.RECEIVED, Status.CHECKING)


def has_room(team: Team, user: User) -> bool:
    """Whether what an unverified organisation has here, or whoever makes several, is within bounds."""
    if team.organisation.is_verified:
        return True
    uploads = Upload.objects.filter(deleted_at=None, submission__team__in=_teams(team, user))
    unread = uploads.filter(submission__status__in=UNREAD).count()
    return unread <= LARGEST_BUNDLES and _read_bytes(team, user, uploads) <= LARGEST_BUNDLES * LARGEST_BYTES


def _teams(team: Team, user: User) -> QuerySet[Team]:
    theirs = Q(organisation=team.organisation_id) | Q(submissions__created_by=user)
    return Team.objects.filter(theirs, organisation__verified_at=None).order_by()


def _read_bytes(team: Team, user: User, uploads: QuerySet[Upload]) -> int:
    """Of the bundles that were read, and of what was taken out of them."""
    teams = _teams(team, user)
    taken: tuple[QuerySet[Any], ...] = (
        uploads.exclude(submission__status__in=UNREAD),
        EvidenceFile.objects.filter(bundle__submission__team__in=teams),
        Blob.objects.filter(pk__in=Run.objects.filter(submission__team__in=teams).values("blob")),
    )
    return sum(found.aggregate(total=Sum("size"))["total"] or 0 for found in taken)


def may_make_organisation(user: User) -> bool:
    """Or one person could take the names of all others, and fill the docket."""
    owned = TeamMember.objects.filter(user=user, role=TeamMember.Role.OWNER)
    waiting = owned.filter(team__organisation__verified_at=None).values("team__organisation")
    return waiting.order_by().distinct().count() < ORGANISATIONS
