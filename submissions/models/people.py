"""People, organisations, their teams, and who belongs to them."""

import uuid
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property

# A domain that no mail is ever sent to (RFC 2606).
DELETED_ADDRESS = "@deleted.invalid"


class User(AbstractUser):
    """Somebody who can sign in. A maintainer decides in public and is therefore named in public."""

    email = models.EmailField(unique=True)
    is_maintainer = models.BooleanField(default=False)
    public_name = models.CharField(max_length=80, blank=True, help_text="Shown beside decisions.")

    class Meta(AbstractUser.Meta):  # type: ignore[name-defined, misc]  # The stubs leave it out.
        constraints = [
            models.CheckConstraint(
                condition=Q(is_maintainer=False) | ~Q(public_name=""), name="maintainer_has_public_name"
            )
        ]

    @cached_property
    def has_second_factor(self) -> bool:
        return bool(Authenticator.objects.filter(user=self, type=Authenticator.Type.TOTP).exists())

    @property
    def is_deleted(self) -> bool:
        """Whether the account was deleted; its row stays for what others stand on, without a name."""
        return not self.is_active and self.email.endswith(DELETED_ADDRESS)

    @property
    def may_maintain(self) -> bool:
        """Whether this person may act as maintainer now: named as one and, where required, with TOTP."""
        needed = settings.REQUIRE_MAINTAINER_TOTP
        return self.is_active and self.is_maintainer and (self.has_second_factor or not needed)


class Organisation(models.Model):
    """The body quotas count for and maintainers verify. Imported rows name one that nobody has claimed."""

    name = models.CharField(max_length=120, unique=True)
    slug = models.SlugField(max_length=120, unique=True)
    url = models.URLField(blank=True)
    verified_at = models.DateTimeField(null=True, blank=True)
    verified_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        indexes = [
            # The docket, oldest first.
            models.Index(
                fields=["created_at", "id"], condition=Q(verified_at=None), name="organisation_to_verify"
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(verified_at=None, verified_by=None)
                | Q(verified_at__isnull=False, verified_by__isnull=False),
                name="organisation_verified_by_someone",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_verified(self) -> bool:
        return self.verified_at is not None

    @property
    def lane(self) -> str:
        """The word under which all its teams share one turn in the queue for grading."""
        return f"organisation-{self.pk}"


class TeamQuerySet(models.QuerySet["Team"]):
    def of(self, user: Any) -> "TeamQuerySet":
        """Teams the user belongs to; none for a visitor who has not signed in."""
        return self.filter(members__user=user) if user.is_authenticated else self.none()


class Team(models.Model):
    """The people who submit together for one organisation."""

    public_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="teams")
    name = models.CharField(max_length=120)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["organisation", "name"], name="team_once_per_organisation")
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.organisation})"

    @property
    def realm(self) -> str:
        """The word under which this team's files are stored and graded once."""
        return self.public_id.hex


class TeamMember(models.Model):
    class Role(models.TextChoices):
        OWNER = "owner"
        MEMBER = "member"

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="team_memberships"
    )
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "user"], name="member_once_per_team"),
            models.CheckConstraint(condition=Q(role__in=["owner", "member"]), name="member_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"


class Invitation(models.Model):
    """A link that lets one person join. Only a digest of its secret is stored."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    secret_digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"invitation to {self.team}"
