"""What the site needs, each asked once and answered by a fixed sentence, without addresses or words of libraries."""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime

from celery import current_app
from django.conf import settings
from django.core.files.storage import storages
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from leaderboard.machinery import grading_hosts

log = logging.getLogger(__name__)
BROKER_ANSWERS_WITHIN_S = 2.0
# What the web process writes to or lists. A store it has no rights to is no business of its.
WEB_STORE = "bundles"


def check_database(now: datetime) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ""


def check_migrations(now: datetime) -> str:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(missing)} migrations are not applied; run manage.py migrate" if missing else ""


def check_broker(now: datetime) -> str:
    """Connects anew each time: a connection from the pool would not show that the broker is gone."""
    if settings.CELERY_BROKER_URL.startswith("filesystem"):
        return "" if (settings.BROKER_DIR / "messages").is_dir() else "the folder of messages is missing"
    with current_app.connection_for_write(connect_timeout=BROKER_ANSWERS_WITHIN_S) as link:
        link.ensure_connection(max_retries=0, timeout=BROKER_ANSWERS_WITHIN_S)
    return ""


def check_storage(now: datetime) -> str:
    """Asks for a name that nobody uses: an answer of any kind is an answer."""
    storages[WEB_STORE].exists("readiness/nothing")
    return ""


def check_grading(now: datetime) -> str:
    """Whether some host has lately shown that it isolates graders; others may be red meanwhile."""
    hosts = grading_hosts(now)
    if not hosts:
        return "no grading host has run its canary yet"
    return "" if any(host.is_well for host in hosts) else "no grading host has a fresh canary that held"


Probe = Callable[[datetime], str]
# Without these the web process cannot answer people.
NEEDED: Mapping[str, Probe] = {
    "database": check_database,
    "migrations": check_migrations,
    "broker": check_broker,
    "storage": check_storage,
}
# Without these people are answered, and their submissions wait.
ALSO: Mapping[str, Probe] = {"grading": check_grading}


def ask(name: str, probe: Probe, now: datetime) -> str:
    """Why it is not well, in a sentence; empty where it is. What a library says of it goes to the log alone."""
    try:
        return probe(now)
    except Exception as error:
        log.warning("readiness: %s does not answer: %s", name, type(error).__name__)
        return "does not answer"
