"""What a row of a board opens into: the entry in short, with the way to its page."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from leaderboard.entry_facts import facts_of
from leaderboard.entry_page import decisions_of, history_of, results_of
from leaderboard.models import Entry, EntryResult, Receipt
from leaderboard.public import public_entries
from leaderboard.views.shared import public_page

# Of its history: the rest is on the page.
NEWEST = 5


@require_safe
def entry_brief(request: HttpRequest, slug: str) -> HttpResponse:
    """A part of a page, fetched when somebody opens the row; without a script the row leads to the entry's page."""
    found = get_object_or_404(public_entries(), slug=slug)
    return public_page(request, "leaderboard/_entry_brief.html", _context(found))


def _context(found: Any) -> dict[str, Any]:
    history = history_of(found, decisions_of(found))
    return {
        "entry": found,
        "seeds": sorted(_seeds(found).items()),
        "results": results_of(found),
        "facts": [fact for fact in facts_of(found) if fact["term"] != "Organisation"],
        "history": history[-NEWEST:],
        "earlier": max(0, len(history) - NEWEST),
        "has_receipts": Receipt.objects.filter(run__entry=found).exists(),
    }


def _seeds(found: Entry) -> dict[str, float]:
    """Any Medal of each seed on the split it claims as a whole."""
    result = EntryResult.objects.filter(entry=found, split=found.scope).first()
    return dict(result.per_seed) if result else {}
