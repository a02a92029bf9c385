"""The figures and the public facts of entries as lines of a table. Makes no query."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grading.splits import Split
from leaderboard.compare.lines import Line
from leaderboard.compare.load import result_on
from leaderboard.entry_facts import facts_of
from leaderboard.models import EntryResult
from leaderboard.profiles import EntryLine

UNDISCLOSED, NOT_ASKED = "", "—"


@dataclass(frozen=True)
class Figure:
    """Any Medal of one entry on one split. `interval` has the ends where they are known: on the split it claims."""

    result: EntryResult | None
    interval: Any
    is_best: bool


def figures_on(columns: Sequence[EntryLine], split: Split) -> list[Figure]:
    """One for each entry; the highest of them are the best, where there are two of one benchmark to choose from."""
    results = [result_on(column, split) for column in columns]
    means = [result.any_medal_mean for result in results if result]
    comparable = len(means) > 1 and len({column.entry.benchmark_id for column in columns}) == 1
    best = max(means) if comparable else None
    return [
        Figure(
            result,
            (column.row or {}).get("statistics") if split == column.scope else None,
            result is not None and result.any_medal_mean == best,
        )
        for column, result in zip(columns, results, strict=True)
    ]


def compare_facts(columns: Sequence[EntryLine]) -> list[Line]:
    """What each says of itself, line by line; "" where it does not disclose it."""
    facts = [facts_of(column.entry) for column in columns]
    terms = dict.fromkeys(fact["term"] for listed in facts for fact in listed)
    by_term = [{fact["term"]: fact["value"] for fact in listed} for listed in facts]
    return [
        Line(term, tuple(str(said.get(term, NOT_ASKED) or UNDISCLOSED) for said in by_term)) for term in terms
    ]
