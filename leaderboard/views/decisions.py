"""A decision's page: what was decided, on what grounds, and its place in the chain."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from leaderboard.entry_page import decider, decision_card
from leaderboard.models import Decision
from leaderboard.public import public_entries
from leaderboard.restatements import restated_by, restating_decisions, with_restatements
from leaderboard.views.shared import etag_of, not_modified, public_page


@require_safe
def decision(request: HttpRequest, number: int) -> HttpResponse:
    """Any decision about a public entry. It never changes; only what superseded it is added."""
    found = get_object_or_404(
        Decision.objects.select_related("entry__agent__organisation", "track", "decided_by", "supersedes"),
        pk=number,
    )
    entry = public_entries().filter(pk=found.entry_id).first()
    if entry is None:
        raise Http404
    card = decision_card(found)
    etag = etag_of(found.hash, card)
    restated = with_restatements(restating_decisions()).filter(pk=found.pk).first()
    context = {
        "decision": found,
        "card": card,
        "entry": entry,
        "by": decider(found),
        "restated": restated_by(restated) if restated else None,
    }
    return not_modified(request, etag) or public_page(request, "leaderboard/decision.html", context, etag)
