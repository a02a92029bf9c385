"""Database, broker and buckets for one site, where the tests run on services (`make test ON=…`): each site its own.

The database is migrated: the first copy of it must have been made (`django_db_setup`).
"""

import itertools
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from grading.bucket import BucketStorage
from tests.databases import migrated_template
from tests.services.rabbitmq import part_of
from tests.services.s3 import S3Server, s3

WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
SITES_OF_A_WORKER = 4
_numbers = itertools.count(WORKER * SITES_OF_A_WORKER)


@contextmanager
def own_services(folder: Path) -> Iterator[dict[str, str]]:
    """Yields the settings that lead to them; none for what is as in the default start. `folder`: of the buckets."""
    with own_queue() as queue, own_buckets(folder / "s3") as buckets:
        yield {**queue, **buckets}


@contextmanager
def own_queue() -> Iterator[dict[str, str]]:
    """Database and broker alone."""
    number = next(_numbers)
    with own_database(number) as database:
        yield {**database, **own_broker(number)}


@contextmanager
def own_database(number: int) -> Iterator[dict[str, str]]:
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield {}
        return
    name = f"site_{os.getpid()}_{number}"
    ask(server, f'CREATE DATABASE "{name}" TEMPLATE "{migrated_template()}"')
    try:
        yield {"DATABASE_URL": urlunsplit(urlsplit(server)._replace(path=f"/{name}"))}
    finally:
        ask(server, f'DROP DATABASE "{name}" WITH (FORCE)')


def own_broker(number: int) -> dict[str, str]:
    """A part of the broker, so that no site gets another's messages."""
    server = os.environ.get("BROKER_URL", "")
    if server.startswith("redis"):
        return {"BROKER_URL": urlunsplit(urlsplit(server)._replace(path=f"/{number}"))}
    return {"BROKER_URL": part_of(server, 1 + number)} if server.startswith("amqp") else {}


@contextmanager
def own_buckets(folder: Path) -> Iterator[dict[str, str]]:
    if os.environ.get("TEST_STORAGE") != "s3":
        yield {}
        return
    with s3(folder) as server:
        yield server.environment()


def ask(address: str, statement: str) -> list[tuple[Any, ...]]:
    """What a database of PostgreSQL answers."""
    with psycopg.connect(address, autocommit=True) as database:
        cursor = database.execute(statement)
        return cursor.fetchall() if cursor.description else []


def ask_site(environment: Mapping[str, str], statement: str) -> list[tuple[Any, ...]]:
    """What the database of a site answers, whichever it has."""
    if "DATABASE_URL" in environment:
        return ask(environment["DATABASE_URL"], statement)
    with closing(sqlite3.connect(Path(environment["MLEB_VAR"]) / "db.sqlite3")) as database:
        return database.execute(statement).fetchall()


def stored(environment: Mapping[str, str], store: str, key: str) -> bytes:
    """A file that a site has stored, wherever it stores them."""
    if "MLEB_S3_ENDPOINT" not in environment:
        return (Path(environment["MLEB_VAR"]) / store / key).read_bytes()
    access = S3Server(environment["MLEB_S3_ENDPOINT"], process_id=0).access(store)
    with BucketStorage(access).open(key) as file:
        return bytes(file.read())
