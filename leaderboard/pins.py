"""Published runs that could stand on something newer: where a decision about pins is due, and who would change."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from grading.models import MACHINE_OUTCOMES, Competition, Grading, ThresholdsVersion
from leaderboard.models import Decision, Entry, EntryRun
from leaderboard.public import public_entries
from leaderboard.results import judge_score


@dataclass(frozen=True)
class Behind:
    """A competition with published runs whose pins are older than what there is."""

    competition: str
    runs: int
    entries: int


@dataclass(frozen=True)
class MedalChange:
    """One published run that would have another medal under other cut-offs."""

    run: EntryRun
    before: str
    after: str


def standing_runs() -> QuerySet[EntryRun]:
    """Runs with a grading of entries that are published and not withdrawn."""
    return EntryRun.objects.filter(entry__in=standing_entries().values("pk"), grading__isnull=False)


def standing_entries() -> QuerySet[Entry]:
    """Entries graded here that are published and not withdrawn."""
    withdrawn = Decision.objects.filter(kind=Decision.Kind.WITHDRAW).values("entry")
    return public_entries().filter(source=Entry.Source.GRADED).exclude(pk__in=withdrawn)


def find_behind() -> list[Behind]:
    """Where newer thresholds or a newer grading exist than a published run stands on, by competition."""
    competitions = _competitions_with_newer()
    if not competitions:
        return []
    versions = ThresholdsVersion.objects.filter(competition=OuterRef("competition")).order_by("-number")
    runs = (
        standing_runs()
        .filter(competition__in=competitions)
        .annotate(
            answers_number=Coalesce("grading__answers__number", 0),
            newest_thresholds=Subquery(versions.values("pk")[:1]),
        )
    )
    older = ~Q(thresholds=F("newest_thresholds")) | Q(thresholds=None, newest_thresholds__isnull=False)
    found = runs.filter(older | Q(Exists(_newer_gradings()))).order_by("competition").values("competition")
    counted = found.annotate(runs=Count("pk"), entries=Count("entry", distinct=True))
    return [Behind(row["competition"], row["runs"], row["entries"]) for row in counted]


def _competitions_with_newer() -> set[str]:
    """Where anything newer can be at all. Elsewhere no run needs a look, and there may be a million of them.

    One CSV has one grading of each kind, so that a competition with gradings of one kind has none that is newer.
    """
    versions = ThresholdsVersion.objects.order_by().values("competition").annotate(count=Count("pk"))
    without = EntryRun.objects.filter(
        thresholds=None, grading__isnull=False, competition__in=versions.values("competition")
    )
    kinds = Grading.objects.filter(state=Grading.State.DONE).order_by()
    kinds_on = Counter(
        competition
        for competition, *_ in kinds.values_list(
            "competition", "answers", "grader_version", "repeat"
        ).distinct()
    )
    return {
        *versions.filter(count__gt=1).values_list("competition", flat=True),
        *without.order_by().values_list("competition", flat=True).distinct(),
        *(competition for competition, count in kinds_on.items() if count > 1),
    }


def _newer_gradings() -> QuerySet[Grading]:
    """Of a run's CSV: with newer answers than its pin has, or later with the same and a verdict on the file."""
    done = Grading.objects.filter(
        blob=OuterRef("grading__blob"), competition=OuterRef("competition"), state=Grading.State.DONE
    ).exclude(outcome=Grading.Outcome.GRADER_ERROR)
    later = Q(number=OuterRef("answers_number"), pk__gt=OuterRef("grading")) & ~Q(
        outcome__in=MACHINE_OUTCOMES
    )
    return done.annotate(number=Coalesce("answers__number", 0)).filter(
        Q(number__gt=OuterRef("answers_number")) | later
    )


def find_medal_changes(competition: Competition, thresholds: ThresholdsVersion) -> list[MedalChange]:
    """Published runs on the competition whose medal would be another under these cut-offs."""
    runs = standing_runs().filter(competition=competition).select_related("entry__agent")
    return list(_changes(runs.order_by("entry", "seed"), competition, thresholds))


def _changes(
    runs: Iterable[EntryRun], competition: Competition, thresholds: ThresholdsVersion
) -> Iterable[MedalChange]:
    for run in runs:
        medal = judge_score(run.score, thresholds, competition).medal.value
        if medal != run.medal:
            yield MedalChange(run, run.medal, medal)
