"""What a run costs beside its grading: claiming it, handing it to the sandbox, recording what came of it.

One team's submission of many tiny runs, graded by the site's own workers on PostgreSQL with RabbitMQ. Told twice: all
that a slot spends beside its sandbox, be it waiting for a processor; and what it says itself of claiming and recording.
"""

from __future__ import annotations

import os
import re
from contextlib import ExitStack
from pathlib import Path
from statistics import mean
from typing import Any

from .load_bundle import COMPETITION, make_bundle, submit, wait_for
from .load_place import make_place
from .load_promises import SHOWN, Promise
from .load_sender import Team
from .load_whole import load_answers, running_site

RUNS = 100  # As many seeds as a bundle may hold.
MOST_MS = 10.0
# From the first claim to the last result, and the seconds that sandboxes say they took.
TIMES = """
    SELECT count(*), extract(epoch FROM max(graded_at) - min(graded_at)), sum(wall_s), min(wall_s)
    FROM grading_grading WHERE state = 'done'
"""
# As the worker's log has it: `grading/laps.py`.
PARTS = re.compile(r"grading \d+: claim ([\d.]+) ms, run ([\d.]+) ms, record ([\d.]+) ms")
DONE = ("graded", "in_review", "published")


def measure_grading(folder: Path, runs: int = RUNS) -> list[Promise]:
    from tests.services.postgres import postgres
    from tests.services.rabbitmq import rabbitmq

    with ExitStack() as stack:
        database = stack.enter_context(postgres(folder / "postgres", is_durable=True))
        broker = stack.enter_context(rabbitmq(folder / "rabbitmq"))
        place = make_place(
            folder / "site", 1, DATABASE_URL=database, BROKER_URL=broker, MLEB_QUOTA_SUBMISSIONS="0"
        )
        archive = make_bundle(folder / "made", runs)
        load_answers(place, folder / "made" / "data", COMPETITION)
        site = stack.enter_context(running_site(place))
        team = Team(site.url, place.tokens[0])
        with SHOWN.status(f"grading {runs} runs"):
            public_id = submit(team, archive)
            wait_for(team, public_id, lambda status: status in DONE)
        return [_overhead(*_ask(database)), _by_its_own_clock(place.folder / "log" / "grading.log")]


def _ask(database: str) -> tuple[Any, ...]:
    import psycopg

    with psycopg.connect(database.replace("postgres://", "postgresql://", 1)) as line:
        row = line.execute(TIMES).fetchone()
    assert row, "an aggregate has a row"
    return row


def _overhead(runs: int, seconds: Any, sandbox_s: float, least_s: float) -> Promise:
    """Per slot: while one waits for a sandbox, the other slots work."""
    slots = os.cpu_count() or 1
    # The first result marks the beginning, so that its own grading is not in between.
    spent_ms = 1000 * (slots * float(seconds) - sandbox_s * (runs - slots) / runs) / max(1, runs - slots)
    note = f"{runs} runs in {float(seconds):.1f} s, sandboxes {sandbox_s:.1f} s on {slots} slots"
    return Promise("claim and record, per run", spent_ms, "ms", at_most=MOST_MS, note=note)


def _by_its_own_clock(log: Path) -> Promise:
    parts = [tuple(map(float, found)) for found in PARTS.findall(log.read_text())]
    claim, run, record = (mean(each) for each in zip(*parts, strict=True))
    note = f"claim {claim:.1f}, record and ring {record:.1f}; the run between them {run:.1f}"
    return Promise("the same, by the slot's own clock", claim + record, "ms", at_most=MOST_MS, note=note)
