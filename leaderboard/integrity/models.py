"""Claims of a submission, flags raised by people, the decisions maintainers make in public, and what these restate."""

from datetime import datetime, timedelta
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from grading.constraints import only_choices
from grading.medals import Medal
from grading.models import Grading, ThresholdsVersion
from grading.splits import Split
from leaderboard.models.entry import Entry
from submissions.models import Submission


class Claim(models.Model):
    """One answer of the run card, and who says so and how we know."""

    class State(models.TextChoices):
        DECLARED = "declared"
        MACHINE_CHECKED = "machine_checked", "machine-checked"
        MAINTAINER_VERIFIED = "maintainer_verified", "maintainer-verified"
        CONTRADICTED = "contradicted"
        UNDISCLOSED = "undisclosed"

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="claims")
    code = models.CharField(max_length=60)
    title = models.CharField(max_length=120)
    state = models.CharField(max_length=20, choices=State)
    severity = models.CharField(max_length=10, help_text="How much it weighs that the claim does not stand.")
    holds = models.BooleanField(help_text="Whether it stands with an answer that the strictest track takes.")
    sentence = models.TextField()
    evidence = models.JSONField(default=dict)
    decision = models.ForeignKey(
        "leaderboard.Decision", on_delete=models.PROTECT, null=True, blank=True, related_name="claims",
        help_text="The one by which a maintainer verified it, or found that it does not hold.",
    )  # fmt: skip

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["submission", "code"], name="claim_once_per_check")]

    def __str__(self) -> str:
        return f"{self.code}: {self.state}"


class DecisionIsPermanent(Exception):
    """Raised where code tries to change or delete a decision, or what it did. Record one that supersedes it."""


class PermanentQuerySet(models.QuerySet[Any]):
    def update(self, **kwargs: Any) -> NoReturn:
        raise DecisionIsPermanent

    def delete(self) -> NoReturn:
        raise DecisionIsPermanent

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise DecisionIsPermanent


class DecisionQuerySet(PermanentQuerySet, models.QuerySet["Decision"]):
    pass


class Permanent(models.Model):
    """A row that is written once."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise DecisionIsPermanent
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise DecisionIsPermanent


class Decision(Permanent):
    """What a maintainer decided, on what grounds. Its primary key is its public number.

    Never changed, only superseded.
    """

    class Kind(models.TextChoices):
        IMPORT = "import", "imported with its placement"
        PUBLISH = "publish", "published on a track"
        MOVE = "move", "moved to another track"
        FLAG = "flag", "flagged"
        DISMISS = "dismiss", "flag dismissed"
        WITHDRAW = "withdraw", "withdrawn"
        REPIN = "repin", "pins moved"
        MASK = "mask", "competitions masked"
        UNMASK = "unmask", "competitions counted again"
        VERIFY = "verify", "claim verified"
        ASK = "ask", "team asked"
        ANNOTATE = "annotate", "annotated"
        GRANT = "grant", "appeal granted"
        DENY = "deny", "appeal denied"

    kind = models.CharField(max_length=12, choices=Kind)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="decisions")
    track = models.ForeignKey(
        "leaderboard.Track", on_delete=models.PROTECT, null=True, blank=True, related_name="decisions",
        help_text="Where it places the entry; empty where it places nothing.",
    )  # fmt: skip
    reason = models.TextField(help_text="Shown in public.")
    rule = models.CharField(max_length=200, help_text="The rule it applies.")
    evidence_url = models.URLField(max_length=500)
    evidence_is_private = models.BooleanField(
        default=False, help_text="The link is shown to maintainers and the team alone."
    )
    is_self_reported = models.BooleanField(
        default=False, help_text="The team itself reported what it decides."
    )
    details = models.JSONField(
        default=dict, blank=True,
        help_text="What it is about beside the entry, such as the competitions it masks. Public.",
    )  # fmt: skip
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="decisions",
        help_text="Empty for decisions that were made elsewhere and imported.",
    )  # fmt: skip
    supersedes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="superseded_by"
    )
    effective_at = models.DateTimeField()
    effective_is_approximate = models.BooleanField(default=False)
    recorded_at = models.DateTimeField()
    effect = models.CharField(
        max_length=64, blank=True,
        help_text="SHA-256 over the pins it moved and the figures it restated; empty where it moved none.",
    )  # fmt: skip
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(
        max_length=64, unique=True, help_text="SHA-256 over this record and the previous hash."
    )

    objects = DecisionQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            # Without those that stand in no place, nearly all, which make an index of all look useless to a planner.
            models.Index(
                fields=["supersedes"], condition=Q(supersedes__isnull=False), name="decision_superseding"
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(reason="") & ~Q(rule="") & ~Q(evidence_url=""), name="decision_has_grounds"
            ),
            models.CheckConstraint(
                condition=Q(kind="import") | Q(decided_by__isnull=False), name="decision_is_somebodys"
            ),
            models.UniqueConstraint(fields=["previous_hash"], name="decision_chain_does_not_fork"),
        ]

    def __str__(self) -> str:
        return f"decision {self.pk}"


class PinMove(Permanent):
    """One run of an entry that a decision put on another grading or other thresholds: where it stood, where it stands.

    Recorded for every pin that moved, also where the result stayed the same.
    """

    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="pin_moves")
    run = models.ForeignKey("leaderboard.EntryRun", on_delete=models.PROTECT, related_name="moves")
    grading_before = models.ForeignKey(Grading, on_delete=models.PROTECT, related_name="+")
    grading_after = models.ForeignKey(Grading, on_delete=models.PROTECT, related_name="+")
    thresholds_before = models.ForeignKey(
        ThresholdsVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    thresholds_after = models.ForeignKey(
        ThresholdsVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    outcome_before = models.CharField(max_length=15)
    outcome_after = models.CharField(max_length=15)
    score_before = models.FloatField(null=True, blank=True)
    score_after = models.FloatField(null=True, blank=True)
    medal_before = models.CharField(max_length=10)
    medal_after = models.CharField(max_length=10)
    above_median_before = models.BooleanField()
    above_median_after = models.BooleanField()

    objects = PermanentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["decision", "run"], name="pin_moved_once_per_decision"),
            only_choices("medal_before", Medal, "pin_move_medal_before_known"),
            only_choices("medal_after", Medal, "pin_move_medal_after_known"),
        ]

    def __str__(self) -> str:
        return f"{self.run} moved by {self.decision}"

    @property
    def changes_result(self) -> bool:
        """Whether anything a reader sees of the run is another than before."""
        return any(
            getattr(self, f"{name}_before") != getattr(self, f"{name}_after")
            for name in ("outcome", "score", "medal", "above_median")
        )


class RestatedFigure(models.TextChoices):
    """The figures of a split that a decision can change."""

    ANY_MEDAL = "any_medal_mean", "Any Medal %"
    ANY_MEDAL_SEM = "any_medal_sem", "SEM of Any Medal"
    GOLD = "gold_mean", "Gold %"
    SILVER = "silver_mean", "Silver %"
    BRONZE = "bronze_mean", "Bronze %"
    ABOVE_MEDIAN = "above_median_mean", "Above median %"
    VALID = "valid_mean", "Valid %"
    SUBMITTED = "submitted_mean", "Submitted %"


class Restatement(Permanent):
    """A published figure of an entry that is another number since a decision. Percent; empty is "not known"."""

    Figure = RestatedFigure

    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="restatements")
    split = models.CharField(max_length=10, choices=[(s.value, s.label) for s in Split])
    figure = models.CharField(max_length=20, choices=Figure)
    before = models.FloatField(null=True, blank=True)
    after = models.FloatField(null=True, blank=True)

    objects = PermanentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["decision", "split", "figure"], name="figure_restated_once_per_decision"
            ),
            only_choices("split", Split, "restatement_split_known"),
            only_choices("figure", RestatedFigure, "restatement_figure_known"),
        ]

    def __str__(self) -> str:
        return f"{self.figure} on {self.split} restated by {self.decision}"


class ChainHead(models.Model):
    """How many decisions were recorded and which was the newest: the chain alone would not miss its own end.

    One row, counted up with every decision and never counted anew.
    """

    ONLY = 1

    count = models.PositiveIntegerField(default=0)
    number = models.PositiveBigIntegerField(
        default=0, help_text="Of the newest decision; 0 before the first."
    )
    hash = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"head of {self.count} decisions"


class FlagQuerySet(models.QuerySet["Flag"]):
    def due(self, now: datetime) -> "FlagQuerySet":
        """Those whose time alone with the team and the maintainers is over: answered, or old enough."""
        return self.exclude(private_at(now))


def private_at(now: datetime) -> models.Q:
    """Of flags: those that only team and maintainers see by then."""
    return models.Q(state=Flag.State.OPEN, raised_at__gt=now - Flag.PRIVATE_FOR)


class Flag(models.Model):
    """A doubt about an entry, raised by a person. A decision answers each; upheld ones show on the entry.

    Until it is answered, and for at most PRIVATE_FOR, only the entry's team and the maintainers see it.
    """

    PRIVATE_FOR = timedelta(days=14)

    class State(models.TextChoices):
        OPEN = "open"
        UPHELD = "upheld"
        DISMISSED = "dismissed"

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="flags")
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    rule = models.CharField(max_length=200)
    evidence_url = models.URLField(max_length=500)
    evidence_is_private = models.BooleanField(
        default=False, help_text="The link is shown to maintainers and the team alone."
    )
    is_self_reported = models.BooleanField(default=False, help_text="Raised by the entry's own team.")
    competitions = models.JSONField(
        default=list, blank=True, help_text="Ids of those it is about; empty: the entry as a whole."
    )
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    decision = models.ForeignKey(
        Decision, on_delete=models.PROTECT, null=True, blank=True, related_name="flags"
    )
    raised_at = models.DateTimeField(default=timezone.now)

    objects = FlagQuerySet.as_manager()

    class Meta:
        ordering = ["-raised_at"]
        indexes = [
            # Lists, newest first: of all, and of those that one person raised.
            models.Index(fields=["-raised_at", "-id"], name="flag_newest"),
            models.Index(fields=["raised_by", "-raised_at", "-id"], name="flag_of_raiser"),
            # The docket, oldest first.
            models.Index(fields=["state", "raised_at", "id"], name="flag_waiting"),
        ]

    def __str__(self) -> str:
        return f"flag on {self.entry}"

    @property
    def public_at(self) -> datetime:
        """When everybody may see it, if nobody answers it before."""
        return self.raised_at + self.PRIVATE_FOR
