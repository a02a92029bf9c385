"""Turns the rules into statements for this database, and runs them."""

from collections.abc import Iterator, Mapping

from django.apps import apps
from django.db import connection, transaction

from leaderboard.roles.grants import (
    BadRules,
    Grant,
    closing_statements,
    grant_statements,
    password_statement,
    role_statements,
)
from leaderboard.roles.rules import ROLES, RULES

SCHEMA = "public"
# Of Django itself, which has no model for it.
BESIDE_MODELS = frozenset({"django_migrations"})


class NotPostgres(Exception):
    """This database has no roles."""


def statements(prefix: str) -> Iterator[str]:
    """All that makes the roles and their rights anew. Raises BadRules where a table has no rule."""
    database, tables = str(connection.settings_dict["NAME"]), table_names()
    require_complete(tables)
    yield from closing_statements(database, SCHEMA)
    for role in ROLES:
        yield from role_statements(prefix + role)
        yield from grant_statements(prefix + role, database, SCHEMA, grants_of(role, tables))


def table_names() -> dict[str, str]:
    """Table by label of the model; those without a model go by their own name."""
    models = apps.get_models(include_auto_created=True)
    return {model._meta.label: model._meta.db_table for model in models} | {
        name: name for name in BESIDE_MODELS
    }


def require_complete(tables: Mapping[str, str]) -> None:
    """Raises BadRules with the tables that have no rule, and the rules that have no table."""
    unruled, unknown = sorted(set(tables) - set(RULES)), sorted(set(RULES) - set(tables))
    if unruled or unknown:
        raise BadRules(
            f"leaderboard/roles/rules.py: no rule for {', '.join(unruled) or 'none'}; "
            f"no table for {', '.join(unknown) or 'none'}."
        )


def grants_of(role: str, tables: Mapping[str, str]) -> dict[str, Grant]:
    """By name of the table."""
    return {tables[label]: grants[role] for label, grants in RULES.items()}


def apply_roles(prefix: str, passwords: Mapping[str, str]) -> None:
    """Makes the roles, at once or not at all; those of `passwords` (by role) get theirs.

    Raises NotPostgres, or BadRules. What runs meanwhile goes on under its rights, old or new.
    """
    if connection.vendor != "postgresql":
        raise NotPostgres(f"This database is {connection.vendor}. Roles are PostgreSQL's: set DATABASE_URL.")
    todo = list(statements(prefix))
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in todo:
            cursor.execute(statement)
        for role, password in passwords.items():
            cursor.execute(password_statement(prefix + role, _verifier(prefix + role, password)))


def _verifier(role: str, password: str) -> str:
    """What PostgreSQL keeps of a password, computed here: neither the wire nor the server's log sees more."""
    connection.ensure_connection()
    made: bytes = connection.connection.pgconn.encrypt_password(
        password.encode(), role.encode(), b"scram-sha-256"
    )
    return made.decode()
