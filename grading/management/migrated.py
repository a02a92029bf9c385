"""Commands say what is missing where the database has no tables yet, instead of failing in their midst."""

from django.core.management.base import CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor


def require_migrated() -> None:
    """Raises CommandError, with what to run, if migrations are missing or the database cannot be reached."""
    try:
        executor = MigrationExecutor(connection)
    except OperationalError as error:
        raise CommandError(f"The database cannot be reached: {str(error).strip()}") from error
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError(
            "The database lacks tables or columns that this version needs. First run "
            "`.venv/bin/python manage.py migrate`, or start the site once."
        )
