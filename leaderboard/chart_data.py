"""What charts need beyond the rows of a board: medals by competition, and what the agents read. Few queries each."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db.models import F

from grading.medals import Medal
from grading.models import Membership
from grading.splits import Split
from leaderboard.boards import Boards
from leaderboard.charts.chart import tell_apart
from leaderboard.charts.medals import MOST_ENTRIES, Medals, Winner
from leaderboard.charts.over_time import Track
from leaderboard.models import Entry, EntryRun
from leaderboard.shown import Row

PUBLISHED = settings.BASE_DIR / "leaderboard" / "data" / "paper_results.json"


@lru_cache(maxsize=1)
def published_results() -> Mapping[str, Any]:
    """The effects published with the benchmark, each with its source."""
    found: Mapping[str, Any] = json.loads(PUBLISHED.read_text())
    return found


def own_tracks(boards: Boards, rows: Sequence[Row]) -> list[Track]:
    """The rows of a board by the track each entry stands on itself; tracks without any are left out."""
    by_track: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_track[row["track"]].append(row)
    return [
        Track(track.title, track.is_warned, by_track[track.slug])
        for track in boards.tracks
        if by_track[track.slug]
    ]


def competitions_of(boards: Boards, split: Split) -> list[str]:
    """The ids of the split's competitions, easy ones first. One query."""
    order = {part.value: at for at, part in enumerate(split.members)}
    members = Membership.objects.filter(benchmark__slug=boards.slug, split__in=order)
    pairs = members.values_list("competition_id", "split").order_by()
    return [key for key, _ in sorted(pairs, key=lambda pair: (order[pair[1]], pair[0]))]


def winners_of(rows: Sequence[Row], split: Split) -> tuple[list[Winner], int]:
    """The first entries graded here with their medals on the split, and how many more there are. One query."""
    graded = [row for row in rows if row["source"] == Entry.Source.GRADED]
    shown = graded[:MOST_ENTRIES]
    medals = _medals([row["entry"] for row in shown], split)
    names = tell_apart([(row["agent"], row["entry"]) for row in shown])
    winners = [Winner(name, row["url"], medals[row["entry"]]) for name, row in zip(names, shown, strict=True)]
    return winners, len(graded) - len(shown)


def _medals(entries: Sequence[int], split: Split) -> Mapping[int, dict[str, Medals]]:
    parts = [part.value for part in split.members]
    runs = EntryRun.objects.filter(entry__in=entries, split__in=parts).order_by()
    seeds: Counter[tuple[int, str]] = Counter()
    won: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    masked = set()
    for entry, competition, medal, decision in runs.values_list("entry", "competition", "medal", "masked_by"):
        seeds[entry, competition] += 1
        if decision:
            masked.add((entry, competition))
        if medal != Medal.NONE:
            won[entry, competition][medal] += 1
    found: dict[int, dict[str, Medals]] = defaultdict(dict)
    for (entry, competition), number in seeds.items():
        found[entry][competition] = Medals(number, won[entry, competition], (entry, competition) in masked)
    return found


def prompts_of(boards: Boards) -> dict[int, str]:
    """Entry to the descriptions its agent read, by the confirmed run card of each entry graded here. One query."""
    graded = Entry.objects.filter(benchmark__slug=boards.slug, source=Entry.Source.GRADED)
    cards = graded.annotate(prompt=F("submission__confirmed_revision__document__prompt"))
    return {pk: said for pk, said in cards.values_list("pk", "prompt") if isinstance(said, str)}
