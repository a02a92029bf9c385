"""Checks that no decision was edited, added or deleted behind the site's back."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.integrity.checkpoints import NoCheckpoint, Signed, read_signed, verify_checkpoints
from leaderboard.integrity.ledger import chain_links, verify_decisions
from leaderboard.models import Checkpoint, Decision, SigningKey
from leaderboard.receipts.checkpoint import read_kept


class Command(BaseCommand):
    help = (
        "Verifies the chain of decisions, what they did, and every signed checkpoint; exits with 1 and says where it "
        "does not hold."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--checkpoint",
            type=Path,
            metavar="FILE",
            help="A download of /decisions/checkpoints.json that was kept elsewhere: the chain must still hold it. "
            "Its own keys count, since an intruder could have replaced the site's.",
        )

    def handle(self, *args: Any, checkpoint: Path | None = None, **options: Any) -> None:
        links, keys = chain_links(), dict(SigningKey.objects.values_list("key_id", "public_key"))
        signed = [Signed(each.document, each.signature) for each in Checkpoint.objects.all()]
        # A copy lies beside the signing keys: there, but not in the database, an intruder could not delete it.
        kept = list(read_kept(settings.SIGNING_DIR))
        breaks = [*verify_decisions(), *verify_checkpoints(links, [*signed, *kept], keys)]
        if checkpoint:
            brought, own_keys = _read(checkpoint)
            breaks += verify_checkpoints(links, brought, {**keys, **own_keys})
            signed += brought
        if breaks:
            sentences = dict.fromkeys(f"Decision {each.number} {each.sentence}." for each in breaks)
            raise CommandError("\n".join(sentences))
        self.stdout.write(
            f"{Decision.objects.count()} decisions, the chain holds, and {len(signed)} signed checkpoints agree."
        )


def _read(path: Path) -> tuple[list[Signed], dict[str, str]]:
    try:
        return read_signed(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, NoCheckpoint) as error:
        raise CommandError(f"{path} cannot be used. {error}") from error
