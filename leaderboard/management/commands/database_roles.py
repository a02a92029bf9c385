"""Makes the roles of the database, one for each kind of process."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.roles.apply import NotPostgres, apply_roles, statements
from leaderboard.roles.grants import PASSWORD, BadRules
from leaderboard.roles.rules import ROLES


class Command(BaseCommand):
    help = (
        "Makes a role of PostgreSQL for each kind of process, with what its work needs and nothing else. Run it as "
        f"the owner of the tables, after each migrate. Passwords come from {PASSWORD}WEB and so on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--sql", action="store_true", help="print the statements, without passwords")
        what.add_argument("--apply", action="store_true", help="run them")
        parser.add_argument("--prefix", default="mleb_", help="what the names of the roles begin with")

    def handle(self, *args: Any, sql: bool, prefix: str, **options: Any) -> None:
        try:
            if sql:
                self.stdout.write("".join(f"{statement};\n" for statement in statements(prefix)))
            else:
                self._apply(prefix)
        except (NotPostgres, BadRules) as error:
            raise CommandError(str(error)) from error

    def _apply(self, prefix: str) -> None:
        passwords = {
            role: os.environ[name] for role in ROLES if os.environ.get(name := PASSWORD + role.upper())
        }
        apply_roles(prefix, passwords)
        for role in ROLES:
            said = (
                "password set"
                if role in passwords
                else f"password as it was ({PASSWORD}{role.upper()} is not set)"
            )
            self.stdout.write(f"{prefix}{role}: rights set, {said}")
