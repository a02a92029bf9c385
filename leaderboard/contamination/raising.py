"""Computing the comparisons of an entry when its review opens, and raising findings of those far outside."""

import re
from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import pairwise
from typing import Any

from django.db.models import Count, Q, QuerySet

from grading.medals import Medal
from grading.models import Membership
from grading.specs import IssueKind
from leaderboard.contamination.groups import TooFew
from leaderboard.contamination.lines import AgentEntry, Known, Line, compare_all
from leaderboard.contamination.pairs import gap
from leaderboard.contamination.signals import SIGNALS
from leaderboard.contamination.tally import Medals, Tally
from leaderboard.models import Contamination, Decision, Entry, EntryRun, Finding
from leaderboard.public import public_entries
from submissions.models import Submission
from submissions.run_card import normalise

CUTOFF = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?")


def compare_medals(entry: Entry, now: datetime) -> None:
    """Writes the table of the entry's case and its findings. Again, it puts them in the place of the old."""
    if entry.submission is None:
        return
    lines = compare_all(what_is_known(entry, entry.submission))
    Contamination.objects.update_or_create(
        submission=entry.submission,
        defaults={"lines": [line.as_json() for line in lines], "computed_at": now},
    )
    Finding.objects.filter(submission=entry.submission, code__in=[signal.code for signal in SIGNALS]).delete()
    Finding.objects.bulk_create(_findings(entry.submission, lines, now))


def _findings(submission: Submission, lines: Iterable[Line], now: datetime) -> Iterator[Finding]:
    signals = {signal.code: signal for signal in SIGNALS}
    for line in lines:
        if line.is_far:
            signal = signals[f"contamination-{line.kind}"]
            yield Finding(
                submission=submission,
                code=signal.code,
                title=signal.title,
                severity=signal.severity.value,
                sentence=line.sentence,
                evidence={"kind": line.kind},
                raised_at=now,
            )


def what_is_known(entry: Entry, submission: Submission) -> Known:
    """In a number of queries that does not grow with entries."""
    graded = list(_comparable(entry))
    tallies = tally_medals([entry.pk, *(other.pk for other in graded)])
    card = _card(submission)
    members = list(
        Membership.objects.filter(benchmark=entry.benchmark_id).values_list(
            "competition", "competition__closed_on", "competition__known_issues"
        )
    )
    by_agent = _by_agent(graded)
    return Known(
        medals=tallies.get(entry.pk, {}),
        prompt=card.get("prompt", ""),
        others=[tallies[other.pk] for other in graded if _is_other(entry, other) and other.pk in tallies],
        closed_on={competition: closed for competition, closed, _ in members},
        leaky=frozenset(
            competition
            for competition, _, issues in members
            if any(issue["kind"] == IssueKind.LEAK for issue in issues)
        ),
        cutoff=_latest_cutoff(card),
        same_agent=[
            _agent_entry(other, tallies[other.pk])
            for other in reversed(by_agent.get(entry.agent_id, []))
            if other.pk in tallies
        ],
        gains=list(_gains(by_agent, tallies, entry.agent_id)),
    )


def _comparable(entry: Entry) -> QuerySet[Entry]:
    """Public entries of the benchmark that were graded here, oldest first; withdrawn ones left out."""
    found = public_entries().filter(benchmark=entry.benchmark_id, source=Entry.Source.GRADED)
    found = found.exclude(pk=entry.pk).exclude(decisions__kind=Decision.Kind.WITHDRAW)
    found = found.select_related("submission__confirmed_revision", "agent")
    return found.order_by("created_at", "pk")


def _is_other(entry: Entry, other: Entry) -> bool:
    """Of another organisation: what all of one house have in common is no yardstick for it."""
    return other.agent.organisation_id != entry.agent.organisation_id


def _by_agent(entries: Iterable[Entry]) -> dict[int, list[Entry]]:
    found: dict[int, list[Entry]] = defaultdict(list)
    for entry in entries:
        found[entry.agent_id].append(entry)
    return found


def _agent_entry(entry: Entry, medals: Medals) -> AgentEntry:
    return AgentEntry(f"entry {entry.pk}", medals, _card(entry.submission).get("prompt", ""))


def _gains(
    by_agent: Mapping[int, list[Entry]], tallies: Mapping[int, Medals], left_out: int
) -> Iterator[float]:
    """Percentage points from each entry of another agent to its next."""
    for agent, entries in by_agent.items():
        for before, after in pairwise(entries) if agent != left_out else ():
            try:
                yield gap(tallies.get(after.pk, {}), tallies.get(before.pk, {})).difference
            except TooFew:
                continue


def tally_medals(entries: Iterable[int]) -> dict[int, dict[str, Tally]]:
    """By entry and competition, in one query."""
    won = Count("pk", filter=~Q(medal=Medal.NONE))
    counted = EntryRun.objects.filter(entry__in=list(entries)).order_by().values("entry", "competition")
    found: dict[int, dict[str, Tally]] = defaultdict(dict)
    for row in counted.annotate(won=won, runs=Count("pk")):
        found[row["entry"]][row["competition"]] = Tally(row["won"], row["runs"])
    return dict(found)


def _card(submission: Submission | None) -> Mapping[str, Any]:
    revision = submission.confirmed_revision if submission else None
    return normalise(revision.document) if revision else {}


def _latest_cutoff(card: Mapping[str, Any]) -> date | None:
    """The latest end of training data among the llms."""
    stated = [
        str(row.get("knowledge_cutoff", "")) for row in card.get("llms", []) if isinstance(row, Mapping)
    ]
    return max((day for text in stated if (day := parse_cutoff(text))), default=None)


def parse_cutoff(text: str) -> date | None:
    """The last day that the training data may cover: `2024-10` is 2024-10-31. None for what is no date."""
    found = CUTOFF.fullmatch(text)
    if not found:
        return None
    year, month, day = (int(part) if part else 0 for part in found.groups())
    try:
        return date(year, month or 12, day or monthrange(year, month or 12)[1])
    except ValueError:
        return None
