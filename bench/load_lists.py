"""What each list costs with so many submissions stored.

    DATABASE_URL=… python -m bench.load_lists SUBMISSIONS ENTRIES

Fills an empty database, asks every list as its reader, and prints milliseconds by name as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .load_addresses import LISTS, Reader
from .load_place import UNLIMITED
from .load_promises import SHOWN, Promise

ROOT = Path(__file__).parents[1]
SUBMISSIONS, ENTRIES = 100_000, 10_000
LISTED = 10_000
MOST_MS = 25.0
REPEATS = 7


def measure_lists(folder: Path, submissions: int, databases: tuple[str, ...]) -> list[Promise]:
    """One line for each database: its slowest list. Those above the limit have a line each."""
    found: list[Promise] = []
    for name in databases:
        with (
            SHOWN.status(f"{submissions:,} submissions in {name}"),
            _database(name, folder / name) as address,
        ):
            found += _lines(name, _ask(folder / name, address, submissions))
    return found


def _lines(name: str, took_ms: Mapping[str, float]) -> Iterator[Promise]:
    slowest = sorted(took_ms, key=lambda each: -took_ms[each])
    over = [each for each in slowest if took_ms[each] > MOST_MS]
    for each in over or slowest[:1]:
        yield Promise(f"{each} on {name}", round(took_ms[each], 1), "ms", at_most=MOST_MS,
                      note=f"{len(took_ms)} lists")  # fmt: skip


@contextmanager
def _database(name: str, folder: Path) -> Iterator[str]:
    folder.mkdir(parents=True, exist_ok=True)
    if name == "sqlite":
        yield f"sqlite:///{folder / 'db.sqlite3'}"
        return
    from tests.services.postgres import postgres

    with postgres(folder / "postgres") as address:
        yield address


def _ask(folder: Path, database: str, submissions: int) -> dict[str, float]:
    settings = {
        "MLEB_VAR": str(folder),
        "MLEB_VAULT": str(folder / "vault"),
        "DATABASE_URL": database,
        **UNLIMITED,
    }
    command = [sys.executable, "-m", "bench.load_lists", str(submissions), str(max(2, submissions // 10))]
    said = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **settings}, stdout=subprocess.PIPE, check=True
    )
    return dict(json.loads(said.stdout))


def fill_and_ask(submissions: int, entries: int) -> dict[str, float]:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    django.setup()
    return ask_all(fill_all(submissions, entries))


def fill_all(submissions: int, entries: int) -> dict[Reader, Any]:
    """An empty database; the people who read."""
    from django.core.management import call_command
    from django.db import connection, transaction

    from grading.models import Benchmark
    from leaderboard.standings import rebuild_standings
    from submissions.models import User

    from .load_rows import add_rows
    from .site_rows import BENCHMARK, NOW, fill

    for command in ("migrate", "collectstatic"):
        call_command(command, verbosity=0, interactive=False)
    call_command("load_catalogue", verbosity=0)
    owner = User.objects.create(username="owner", email="owner@bench.example")
    maintainer = User.objects.create(
        username="judge", email="judge@bench.example", is_maintainer=True, public_name="Judge"
    )
    with transaction.atomic():
        fill(submissions, entries)
        add_rows(min(LISTED, submissions), owner, maintainer)
    rebuild_standings(Benchmark.objects.get(slug=BENCHMARK), NOW)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return {Reader.ANYBODY: None, Reader.OWNER: owner, Reader.MAINTAINER: maintainer}


def ask_all(people: Mapping[Reader, Any]) -> dict[str, float]:
    from django.test import Client

    from .load_rows import places

    found = {}
    here = places()
    for name, (address, who) in LISTS.items():
        client = Client(headers={"accept-encoding": "gzip"}, SERVER_NAME="127.0.0.1")
        if user := people[who]:
            client.force_login(user)
        found[name] = min(_took_ms(client, address.format(**here)) for _ in range(REPEATS))
    return found


def _took_ms(client: Any, address: str) -> float:
    """Without the waits for other programs, as far as the least of a few is without them."""
    began = time.perf_counter()
    answer = client.get(address)
    took = time.perf_counter() - began
    if answer.status_code != 200:
        raise SystemExit(f"{address} answered {answer.status_code}")
    return 1000 * took


def main() -> None:
    print(json.dumps(fill_and_ask(int(sys.argv[1]), int(sys.argv[2]))))


if __name__ == "__main__":
    main()
