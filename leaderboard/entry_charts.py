"""The charts of an entry's page and of a competition's, from what these pages have read already. Makes no query."""

from collections.abc import Iterable, Mapping, Sequence

from grading.models import ThresholdsVersion
from grading.splits import Split
from leaderboard.charts.chart import Chart, tell_apart
from leaderboard.charts.competition import EntryScores, scores_on
from leaderboard.charts.entry import by_category, pass_at_k, seeds_strip
from leaderboard.charts.human import STEPS, Against, Scored, against_humans
from leaderboard.competition_facts import CompetitionFacts
from leaderboard.entry_page import CompetitionRuns, Results
from leaderboard.entry_statistics import EntryStatistics
from leaderboard.models import Entry, EntryResult
from leaderboard.run_marks import RunMark


def charts_of(
    scope: Split, result: EntryResult | None, results: Results, statistics: EntryStatistics
) -> list[Chart]:
    """Those of an entry graded here that have something to draw; imported ones have none."""
    if not results.splits or result is None:
        return []
    drawn = [
        seeds_strip(result.per_seed, result.any_medal_mean, result.any_medal_sem, scope.label),
        pass_at_k(statistics.own["pass_at_k"] if statistics.own else []),
        by_category(statistics.categories),
        against_humans(list(_against(results))),
    ]
    return [chart for chart in drawn if chart.figure]


def _against(results: Results) -> Iterable[Against]:
    """The competitions that have cut-offs; of a single one the page has a drawing with the scores themselves."""
    lines = [line for group in results.splits for line in group.competitions]
    for line in lines if len(lines) > 1 else ():
        if line.thresholds is not None:
            yield _line(line, line.thresholds)


def _line(line: CompetitionRuns, thresholds: ThresholdsVersion) -> Against:
    cutoffs = (thresholds.median, thresholds.bronze, thresholds.silver, thresholds.gold)
    name = f"{line.id} (not counted)" if line.masked_by else line.id
    return Against(name, line.lower_is_better, cutoffs, _scored(line.marks))


def _scored(marks: Iterable[RunMark]) -> tuple[Scored, ...]:
    return tuple(Scored(mark.seed, mark.score, mark.mark) for mark in marks if mark.score is not None)


def _not_counted(name: str, marks: Sequence[RunMark]) -> str:
    return f"{name} (not counted)" if marks and marks[0].masked_by else name


def chart_of(
    facts: CompetitionFacts, results: Sequence[tuple[Entry, Sequence[RunMark]]], total: int
) -> Chart:
    """The scores of entries on a competition, in the order of the page. `total`: of how many these are a page."""
    cutoffs: Mapping[str, float] = (
        {name: getattr(facts.thresholds, name) for name in STEPS} if facts.thresholds else {}
    )
    names = tell_apart([(entry.agent.name, entry.pk) for entry, _ in results])
    entries = [
        EntryScores(_not_counted(name, marks), f"/entries/{entry.slug}/", _scored(marks))
        for name, (entry, marks) in zip(names, results, strict=True)
    ]
    return scores_on(entries, cutoffs, facts.competition.lower_is_better, total)
