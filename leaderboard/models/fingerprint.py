"""Fingerprints of predictions and of run cards, by which maintainers find what was handed in twice."""

from django.db import models

from grading.constraints import only_choices
from grading.models import Blob, Competition
from submissions.models import Organisation, Submission


class FingerprintState(models.TextChoices):
    MADE = "made"
    CONSTANT = "constant", "every row alike"
    UNREADABLE = "unreadable"


class FingerprintBlock(models.Model):
    """Many sketches of one competition in one value, so that a search reads a few rows and not all. Never changed."""

    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveSmallIntegerField()
    count = models.PositiveIntegerField()
    numbers = models.BinaryField(help_text="Of the fingerprints: little-endian int64, in order.")
    owners = models.BinaryField(help_text="Of the organisations, in the same order and form.")
    sketches = models.BinaryField(help_text="One after the other, in the same order.")

    class Meta:
        indexes = [models.Index(fields=["competition", "version"])]

    def __str__(self) -> str:
        return f"{self.count} fingerprints of {self.competition_id}"


class Fingerprint(models.Model):
    """What one CSV looks like on one competition, whatever the order of its rows and columns and its digits."""

    State = FingerprintState

    blob = models.ForeignKey(Blob, on_delete=models.CASCADE, related_name="fingerprints")
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="+")
    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveSmallIntegerField(
        help_text="Of the rules that made it: only equal ones compare."
    )
    state = models.CharField(max_length=10, choices=FingerprintState)
    rows = models.PositiveBigIntegerField(default=0)
    content = models.CharField(
        max_length=64, blank=True, help_text="Equal exactly where the predictions are."
    )
    sketch = models.BinaryField(default=b"")
    block = models.ForeignKey(
        FingerprintBlock, on_delete=models.SET_NULL, null=True, blank=True, related_name="fingerprints"
    )
    made_at = models.DateTimeField()

    class Meta:
        indexes = [
            # Those that lie in no block yet, which a search reads one by one.
            models.Index(
                fields=["competition", "version"],
                condition=models.Q(block=None, state="made"),
                name="fingerprint_loose",
            )
        ]
        constraints = [
            only_choices("state", FingerprintState, "fingerprint_state_known"),
            models.UniqueConstraint(fields=["blob", "competition", "version"], name="fingerprint_once"),
        ]

    def __str__(self) -> str:
        return f"fingerprint of {self.blob_id} on {self.competition_id}"


class SampleFingerprint(models.Model):
    """The fingerprint of a competition's sample submission: what is near to it tells nothing."""

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="+")
    version = models.PositiveSmallIntegerField()
    content = models.CharField(max_length=64)
    sketch = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["competition", "version"], name="sample_fingerprint_once")
        ]

    def __str__(self) -> str:
        return f"sample of {self.competition_id}"


class LikenessState(models.TextChoices):
    DUE = "due", "waiting to be read"
    READING = "reading"
    READ = "read", "waiting to be compared"
    DONE = "done", "compared"
    FAILED = "failed", "failed on our side"


class Likeness(models.Model):
    """How far a submission's predictions have been compared with all others. The row is the queue's truth."""

    State = LikenessState

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="likeness")
    state = models.CharField(max_length=10, choices=LikenessState, default=LikenessState.DUE)
    lease_until = models.DateTimeField(null=True, blank=True)
    fencing_token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    rung_at = models.DateTimeField(null=True, blank=True)
    compared_at = models.DateTimeField(null=True, blank=True)
    left_out = models.JSONField(
        default=dict, blank=True, help_text="Runs that were not compared, by the word for why."
    )

    class Meta:
        verbose_name_plural = "likenesses"
        indexes = [models.Index(fields=["state", "lease_until"])]
        constraints = [only_choices("state", LikenessState, "likeness_state_known")]

    def __str__(self) -> str:
        return f"likeness of {self.submission}"


class RunComparison(models.Model):
    """How many runs of a submission are those of an earlier one of its organisation, and how many not. Public."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="compared")
    earlier = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="+")
    unchanged = models.PositiveIntegerField()
    changed = models.PositiveIntegerField()

    class Meta:
        ordering = ["earlier__confirmed_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "earlier"], name="submissions_compared_once")
        ]

    def __str__(self) -> str:
        return f"{self.submission} beside {self.earlier}"


class CardTrait(models.Model):
    """A digest of one answer on a confirmed run card, by which the same answer of somebody else is found."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="card_traits")
    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="+")
    field = models.CharField(max_length=80, help_text="Its path on the run card.")
    digest = models.CharField(max_length=64, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["submission", "field"], name="card_trait_once")]

    def __str__(self) -> str:
        return f"{self.field} of {self.submission}"
