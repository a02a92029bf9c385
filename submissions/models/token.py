"""What an API token may do."""

from django.db import models
from knox.models import AuthToken


class TokenScope(models.TextChoices):
    """A part of the API. Reading what is public needs no token."""

    READ = "read", "read your submissions"
    UPLOAD = "upload", "upload, edit run cards, confirm and withdraw; read your submissions"
    VALIDATE = "validate", "check files for validity"


class TokenGrant(models.Model):
    """The scopes of a token and its name. A token without one may do nothing."""

    token = models.OneToOneField(AuthToken, on_delete=models.CASCADE, primary_key=True, related_name="grant")
    name = models.CharField(max_length=60, blank=True, help_text="For people, such as the machine it is on.")
    scopes = models.JSONField(default=list, help_text="Of TokenScope.")

    def __str__(self) -> str:
        return f"{self.name or 'token'}: {', '.join(self.scopes)}"
