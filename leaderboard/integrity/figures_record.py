"""Published figures held against the runs they are made of, so that one edited behind the site's back shows."""

from collections.abc import Iterator
from typing import Final

from django.db.models import Max

from leaderboard.integrity.chain import Break
from leaderboard.integrity.repin_plan import COUNTED
from leaderboard.models import Entry, EntryResult
from leaderboard.results import build_results

NOT_COMPARED: Final = frozenset({"id", "entry"})
FIGURES: Final = tuple(
    field.attname for field in EntryResult._meta.concrete_fields if field.name not in NOT_COMPARED
)


def find_altered_figures() -> Iterator[Break]:
    """Entries that show other figures than their runs make. Imported ones have no runs here to ask."""
    graded = Entry.objects.filter(source=Entry.Source.GRADED).annotate(newest=Max("decisions"))
    for entry in graded.exclude(newest=None).prefetch_related("results").order_by("pk").iterator(100):
        runs = list(entry.runs.only(*COUNTED).order_by("pk"))
        made = {figures_of(result) for result in build_results(entry, runs)}
        if made != {figures_of(result) for result in entry.results.all()}:
            yield Break(
                entry.newest, f"is the newest on entry {entry.pk}, whose figures are not those of its runs"
            )


def figures_of(result: EntryResult) -> tuple[object, ...]:
    """All that is shown of a split, to be compared as a whole."""
    columns = (getattr(result, name) for name in FIGURES)
    return tuple(tuple(sorted(value.items())) if isinstance(value, dict) else value for value in columns)
