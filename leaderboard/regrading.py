"""Choosing published and reviewed runs to be graded anew, and asking for it. Pins stay where they are."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from grading.grade import newest_answers
from grading.models import AnswersVersion
from grading.regrade import Regrade, request_regrade
from leaderboard.models import Decision, EntryRun


class NotChosen(Exception):
    """Nothing can be regraded as asked; says why."""


@dataclass(frozen=True)
class Choice:
    """Which runs; empty takes all. `entries`: numbers or slugs. `thresholds` and `grader_versions`: of their pins."""

    competitions: Collection[str] = ()
    entries: Collection[str] = ()
    outcomes: Collection[str] = ()
    thresholds: int | None = None
    grader_versions: Collection[str] = ()


def chosen_runs(choice: Choice) -> QuerySet[EntryRun]:
    """The runs with a grading, of entries that were not withdrawn. Raises NotChosen where an entry is unknown."""
    withdrawn = Decision.objects.filter(kind=Decision.Kind.WITHDRAW).values("entry")
    runs = EntryRun.objects.filter(grading__isnull=False).exclude(entry__in=withdrawn)
    if choice.competitions:
        runs = runs.filter(competition__in=choice.competitions)
    if choice.entries:
        runs = runs.filter(_named(choice.entries, runs))
    if choice.outcomes:
        runs = runs.filter(outcome__in=choice.outcomes)
    if choice.thresholds is not None:
        runs = runs.filter(thresholds__number=choice.thresholds)
    if choice.grader_versions:
        runs = runs.filter(grading__graded_with__in=choice.grader_versions)
    return runs.select_related("grading__blob").order_by("entry", "pk")


def _named(entries: Collection[str], runs: QuerySet[EntryRun]) -> Q:
    numbers = [int(name) for name in entries if name.isdecimal()]
    slugs = [name for name in entries if not name.isdecimal()]
    known = {str(value) for pair in runs.values_list("entry", "entry__slug").distinct() for value in pair}
    if unknown := [name for name in entries if name not in known]:
        raise NotChosen(
            f"No entry graded here that still stands: {', '.join(unknown)}. Give its number or slug."
        )
    return Q(entry__in=numbers) | Q(entry__slug__in=slugs)


def find_answers(competitions: Iterable[str], number: int | None) -> dict[str, AnswersVersion | None]:
    """The answers to grade with: the version of that number, or the newest. Raises NotChosen where it is missing."""
    wanted = sorted(set(competitions))
    if number is None:
        return {competition: newest_answers(competition) for competition in wanted}
    found = {
        version.competition_id: version
        for version in AnswersVersion.objects.filter(competition__in=wanted, number=number)
    }
    if missing := [competition for competition in wanted if competition not in found]:
        raise NotChosen(f"Answers {number} were never loaded for: {', '.join(missing)}.")
    return dict(found)


def request_regrades(
    runs: Iterable[EntryRun], answers: Mapping[str, AnswersVersion | None], now: datetime, dry_run: bool
) -> Iterator[Regrade]:
    """Asks for a grading of each CSV once, however many runs share it, one result as it goes."""
    asked = set()
    for run in runs:
        assert run.grading is not None
        file = (run.grading.blob_id, run.competition_id)
        if file not in asked:
            asked.add(file)
            blob, competition = run.grading.blob, run.competition_id
            yield request_regrade(blob, competition, answers[competition], now, dry_run)
