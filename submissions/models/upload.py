"""The upload in parts, the bundle it makes, and the runs found inside."""

from django.db import models
from django.db.models import Q

from grading.models import Blob, Competition, Grading
from submissions.models.submission import Submission


class Upload(models.Model):
    """The bytes of a bundle on their way in. The size and the parts are fixed when it begins."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="upload")
    filename = models.CharField(
        max_length=255, help_text="As the browser named it; shown, never used as a path."
    )
    size = models.PositiveBigIntegerField()
    part_size = models.PositiveIntegerField()
    key = models.CharField(max_length=250, unique=True, help_text="Chosen by the server.")
    storage_upload_id = models.CharField(
        max_length=1024, blank=True, help_text="The store's own name for it."
    )
    storage_version = models.CharField(
        max_length=250, blank=True, help_text="Of the completed object, where the store keeps versions."
    )
    storage_etag = models.CharField(max_length=250, blank=True, help_text="Of the completed object.")
    created_at = models.DateTimeField(auto_now_add=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True, help_text="When its bytes were deleted.")

    def __str__(self) -> str:
        return self.key

    @property
    def part_count(self) -> int:
        return -(-self.size // self.part_size)

    def size_of(self, number: int) -> int:
        """Bytes of a part; parts count from 1 and only the last may be shorter."""
        return min(self.part_size, self.size - (number - 1) * self.part_size)


class UploadPart(models.Model):
    """A part that arrived whole, with the checksum it was checked against."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    stored_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["upload", "number"], name="part_once_per_upload")]

    def __str__(self) -> str:
        return f"part {self.number} of {self.upload}"


class Bundle(models.Model):
    """What intake read: the archive's digest and what it kept and left."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="bundle")
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    format = models.CharField(max_length=10)
    ignored = models.JSONField(default=list, help_text="Objects with path, reason.")
    claimed_report = models.JSONField(null=True, blank=True, help_text="The team's own grading report.")
    read_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"bundle {self.sha256[:12]}"


class EvidenceFile(models.Model):
    """A log or code file of the bundle. Private, and read by the evidence worker alone."""

    bundle = models.ForeignKey(Bundle, on_delete=models.CASCADE, related_name="evidence")
    path = models.CharField(max_length=500)
    seed = models.CharField(max_length=100)
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, null=True, blank=True)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    key = models.CharField(max_length=250)

    def __str__(self) -> str:
        return self.path


class Run(models.Model):
    """One seed on one competition: one CSV, and the grading that was asked for it.

    With `checkpoint_hours` it is a score over time instead: graded last and never ranked.
    """

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="runs")
    folder = models.CharField(max_length=64, help_text="The seed or run group as the bundle names it.")
    seed = models.CharField(max_length=100, help_text="The folder, or what the run card maps it to.")
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="runs")
    checkpoint_hours = models.FloatField(null=True, blank=True)
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, related_name="runs")
    grading = models.ForeignKey(Grading, on_delete=models.PROTECT, null=True, blank=True, related_name="runs")

    class Meta:
        ordering = ["seed", "competition_id", "checkpoint_hours"]
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "seed", "competition"],
                condition=Q(checkpoint_hours=None),
                name="run_once_per_seed_and_competition",
            ),
            models.UniqueConstraint(
                fields=["submission", "seed", "competition", "checkpoint_hours"], name="checkpoint_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seed} on {self.competition_id}"
