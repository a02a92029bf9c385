"""Checks that no decision was edited, added or deleted behind the site's back."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.integrity.ledger import verify_decisions
from leaderboard.models import Decision


class Command(BaseCommand):
    help = (
        "Verifies the chain of decisions and their placements; exits with 1 and says where it does not hold."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        breaks = verify_decisions()
        if breaks:
            raise CommandError("\n".join(f"Decision {each.number} {each.sentence}." for each in breaks))
        self.stdout.write(f"{Decision.objects.count()} decisions, the chain holds.")
