"""Deletes somebody's account for them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from leaderboard.personal.erase import erase_account
from submissions.models import User


class Command(BaseCommand):
    help = "Deletes an account as its owner could on their page, a maintainer's too. It cannot be undone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument(
            "--yes", action="store_true", help="Really delete it; else only say what would be."
        )

    def handle(self, *args: Any, email: str, yes: bool, **options: Any) -> None:
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            raise CommandError(f"No account has the address {email}.")
        if not yes:
            self.stdout.write(f"Account {user.pk} of {email} would be deleted. Add --yes.")
            return
        erase_account(user, timezone.now(), is_operator=True)
        self.stdout.write(f"Account {user.pk} is deleted.")
