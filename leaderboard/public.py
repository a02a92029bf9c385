"""Which entries anybody may see: those a decision has placed. Before that nobody sees a score, maintainers included."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from grading.models import Competition
from leaderboard.models import Decision, Entry, EntryRun, Placement

# What a mark says of a run (`entry_page.mark_run`).
RUN = (
    "entry_id", "seed", "outcome", "score", "medal", "above_median", "near_cutoff", "missing_reason", "message",
    "masked_by_id", "grading__code",
)  # fmt: skip


def is_placed(entry: str = "entry") -> Exists:
    """Whether the entry that a row names is public. Asked of a row only once it is looked at."""
    return Exists(Placement.objects.filter(entry=OuterRef(entry), effective_at__lte=timezone.now()))


def has_public_entries(path: str) -> Exists:
    """Whether the row has an entry that is public. `path`: from an entry to such a row, as `agent`."""
    return Exists(Entry.objects.filter(is_placed("pk"), **{path: OuterRef("pk")}).order_by())


def public_entries() -> QuerySet[Entry]:
    """Published entries, those withdrawn since among them: their pages stay."""
    found = Entry.objects.filter(is_placed("pk")).annotate(is_withdrawn=_was_withdrawn())
    return found.select_related("agent__organisation", "benchmark", "submission")


def _was_withdrawn() -> Exists:
    return Exists(Decision.objects.filter(entry=OuterRef("pk"), kind=Decision.Kind.WITHDRAW))


def graded_on(competition: Competition) -> QuerySet[Entry]:
    """Public entries with runs on a competition, the newest number first; withdrawn ones left out."""
    here = EntryRun.objects.filter(entry=OuterRef("pk"), competition=competition)
    return public_entries().exclude(_was_withdrawn()).filter(Exists(here)).order_by("-pk")


def results_on(competition: Competition, entries: Sequence[Entry]) -> Mapping[Entry, list[EntryRun]]:
    """The runs of these entries on it, by entry."""
    runs: dict[int, list[EntryRun]] = defaultdict(list)
    found = EntryRun.objects.filter(competition=competition, entry__in=entries)
    for run in found.select_related("grading").only(*RUN).order_by("seed"):
        runs[run.entry_id].append(run)
    return {entry: runs[entry.pk] for entry in entries if entry.pk in runs}
