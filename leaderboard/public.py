"""Which entries anybody may see: those a decision has placed. Before that nobody sees a score, maintainers included."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from grading.models import Competition
from leaderboard.models import Decision, Entry, EntryRun, Placement


def public_entries() -> QuerySet[Entry]:
    """Published entries, those withdrawn since among them: their pages stay."""
    placed = Placement.objects.filter(entry=OuterRef("pk"), effective_at__lte=timezone.now())
    found = Entry.objects.filter(Exists(placed)).annotate(is_withdrawn=_was_withdrawn())
    return found.select_related("agent__organisation", "benchmark", "submission")


def _was_withdrawn() -> Exists:
    return Exists(Decision.objects.filter(entry=OuterRef("pk"), kind=Decision.Kind.WITHDRAW))


def results_on(competition: Competition) -> Mapping[Entry, list[EntryRun]]:
    """The runs of public entries on a competition by entry, newest entry first; withdrawn ones left out."""
    listed = public_entries().exclude(_was_withdrawn()).order_by("-run_on", "-pk")
    entries = {entry.pk: entry for entry in listed}
    runs: dict[int, list[EntryRun]] = defaultdict(list)
    for run in _runs(competition, entries):
        runs[run.entry_id].append(run)
    return {entries[pk]: runs[pk] for pk in entries if pk in runs}


def _runs(competition: Competition, entries: Iterable[int]) -> QuerySet[EntryRun]:
    found = EntryRun.objects.filter(competition=competition, entry__in=list(entries))
    return found.select_related("grading").order_by("seed")
