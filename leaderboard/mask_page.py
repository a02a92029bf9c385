"""What the page of masks lists: an entry's competitions with how its runs ended, and what each is worth to it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from grading.splits import Split
from leaderboard.aggregation import mean_and_sem
from leaderboard.entry_page import mark_run
from leaderboard.models import Entry, EntryRun
from leaderboard.run_marks import RunMark

MEDALS = ("gold", "silver", "bronze")


@dataclass(frozen=True)
class MaskLine:
    """One competition. `without`: Any Medal in percent on the scope if it alone changed; None: nothing is left."""

    id: str
    title: str
    split: Split
    issues: tuple[str, ...]
    marks: tuple[RunMark, ...]
    decision: int | None
    without: float | None

    @property
    def medals(self) -> int:
        return sum(mark.mark in MEDALS for mark in self.marks)


def lines_of(entry: Entry) -> list[MaskLine]:
    """Every competition of the entry's runs, in the order of its page. Imported entries have none. One query."""
    runs = list(entry.runs.select_related("competition", "grading").order_by("competition", "seed"))
    counted = {run.competition_id for run in runs if run.masked_by_id is None}
    by_competition: dict[str, list[EntryRun]] = {}
    for run in runs:
        by_competition.setdefault(run.competition_id, []).append(run)
    lines = [_line(own, runs, counted ^ {key}) for key, own in by_competition.items()]
    order = list(Split)
    return sorted(lines, key=lambda line: (order.index(line.split), line.id))


def _line(own: Sequence[EntryRun], runs: Sequence[EntryRun], counted: Collection[str]) -> MaskLine:
    first = own[0]
    issues: list[dict[str, Any]] = first.competition.known_issues
    return MaskLine(
        id=first.competition_id,
        title=first.competition.title,
        split=Split(first.split),
        issues=tuple(issue["kind"] for issue in issues),
        marks=tuple(mark_run(run) for run in own),
        decision=first.masked_by_id,
        without=_any_medal(runs, counted),
    )


def _any_medal(runs: Sequence[EntryRun], counted: Collection[str]) -> float | None:
    if not counted:
        return None
    seeds = sorted({run.seed for run in runs})
    won = [
        sum(run.medal in MEDALS for run in runs if run.seed == seed and run.competition_id in counted)
        for seed in seeds
    ]
    return mean_and_sem([100 * medals / len(counted) for medals in won]).mean
