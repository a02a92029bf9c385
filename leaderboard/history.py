"""Taking over the board that the benchmark kept in its README, as it was published."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from grading.models import Benchmark
from grading.splits import Split
from leaderboard.agents import agent_of
from leaderboard.integrity.ledger import Grounds, Verdict, record_decision
from leaderboard.models import Decision, Entry, EntryResult, Track
from leaderboard.slugs import readable_slug
from leaderboard.standings import rebuild_standings
from submissions.models import Organisation

FILE = Path(__file__).parent / "data" / "history.json"
MAIN_REASON = (
    "Published on this day in the benchmark's main table, graded by its own team. Taken over as it stood; "
    "nobody has verified it here."
)
MAIN_RULE = "Historical rows of the main table stand on No Private LB, badged as self-graded and unverified."
MOVED_REASON = (
    "{reason}: moved by the benchmark's maintainers from the main table to a second one. "
    "The day of the move is approximate."
)
MOVED_RULE = "Results that used feedback from the test set stand on Additional, under a warning."
Row = Mapping[str, Any]


class HistoryError(Exception):
    """Shown to the operator: what has to be there before history can be imported."""


@dataclass(frozen=True)
class Destination:
    """Where the rows of one file go."""

    benchmark: Benchmark
    main: Track
    moved: Track
    moved_at: datetime
    source_url: str


def read_history(path: Path = FILE) -> dict[str, Any]:
    """The file's content: its source, where it goes, and one object per published row."""
    content: dict[str, Any] = json.loads(path.read_text())
    return content


def import_history(history: Mapping[str, Any], now: datetime) -> int:
    """The number of rows imported now; rows that are there already stay as they are.

    Each is first placed on the main track at its published date; those that were moved are moved by a decision
    of their own. Raises HistoryError where the benchmark is not there.
    """
    with transaction.atomic():
        to = _find_destination(history)
        known = set(Entry.objects.exclude(import_key=None).values_list("import_key", flat=True))
        # By date, so that the chain of decisions runs as the board grew.
        rows = sorted(history["rows"], key=lambda row: row["date"])
        added = [(row, _import(row, to, now)) for row in rows if row["import_key"] not in known]
        for row, entry in added:
            if "moved" in row:
                _move(entry, row["moved"], to, now)
        rebuild_standings(to.benchmark, now)
    return len(added)


def _find_destination(history: Mapping[str, Any]) -> Destination:
    benchmark = Benchmark.objects.filter(slug=history["benchmark"]).first()
    if benchmark is None:
        raise HistoryError(
            f"There is no benchmark {history['benchmark']} yet. Run manage.py load_catalogue first."
        )
    return Destination(
        benchmark=benchmark,
        main=Track.objects.get(slug=history["main_track"]),
        moved=Track.objects.get(slug=history["moved_track"]),
        moved_at=_midnight(history["moved_on"]),
        source_url=history["source_url"],
    )


def _midnight(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC)


def _import(row: Row, to: Destination, now: datetime) -> Entry:
    entry = _create_entry(row, to.benchmark)
    EntryResult.objects.bulk_create(_result(entry, row, split) for split in row["any_medal"])
    grounds = Grounds(MAIN_REASON, MAIN_RULE, to.source_url)
    at = _midnight(row["date"])
    record_decision(Verdict(Decision.Kind.IMPORT, entry, grounds, None, at, to.main), now)
    return entry


def _create_entry(row: Row, benchmark: Benchmark) -> Entry:
    return Entry.objects.create(
        slug=readable_slug(row["import_key"], 200, "imported"),
        agent=agent_of(_organisation(row["organisation"]), row["agent"]),
        benchmark=benchmark,
        source=Entry.Source.IMPORTED,
        import_key=row["import_key"],
        scope=Split.ALL.value,
        run_on=date.fromisoformat(row["date"]),
        url=row["url"],
        source_available=row["source_available"],
        reports_available=row["reports_available"],
        llms=row["llms"],
        hours=row["hours"],
        notes=row["notes"],
        **row["compute"],
    )


def _organisation(name: str) -> Organisation:
    """Unverified and without a team, until somebody claims it."""
    slug = readable_slug(name, 120, "organisation")
    return Organisation.objects.get_or_create(name=name, defaults={"slug": slug})[0]


def _result(entry: Entry, row: Row, split: str) -> EntryResult:
    mean, sem = row["any_medal"][split]
    return EntryResult(
        entry=entry,
        split=Split(split).value,
        any_medal_mean=mean,
        any_medal_sem=sem,
        is_padded=split in row["padded_splits"],
    )


def _move(entry: Entry, moved: Row, to: Destination, now: datetime) -> None:
    grounds = Grounds(MOVED_REASON.format(reason=moved["reason"]), MOVED_RULE, moved["evidence_url"])
    verdict = Verdict(Decision.Kind.IMPORT, entry, grounds, None, to.moved_at, to.moved, is_approximate=True)
    record_decision(verdict, now)
