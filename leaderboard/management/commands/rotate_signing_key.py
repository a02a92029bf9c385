"""Makes a new key for signing receipts."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from leaderboard.receipts.key_store import KeyStoreError, make_key
from leaderboard.receipts.signing import key_id


class Command(BaseCommand):
    help = "Makes a new signing key where housekeeping runs. Receipts signed by older keys stay good."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            key = make_key(settings.SIGNING_DIR, timezone.now())
        except (KeyStoreError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"From now on receipts are signed by {key_id(key.public_key())}.")
