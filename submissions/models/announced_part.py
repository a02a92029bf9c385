"""What a team said it would send to the store itself."""

from django.db import models

from submissions.models.upload import Upload


class AnnouncedPart(models.Model):
    """The SHA-256 that an address was signed for. The part itself is an UploadPart once the store has it."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="announced")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["upload", "number"], name="announced_once_per_upload")]

    def __str__(self) -> str:
        return f"announced part {self.number} of {self.upload}"
