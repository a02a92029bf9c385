"""A decision's page: what was decided, on what grounds, what the team says to it, and its place in the chain."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from leaderboard.decision_page import about_of, appeal_card, clock_of, way_of
from leaderboard.entry_page import decider, decision_card
from leaderboard.integrity.correcting import find_uncorrectable
from leaderboard.integrity.sides import is_on_team
from leaderboard.models import Checkpoint, Decision, SigningKey
from leaderboard.public import is_placed, public_entries
from leaderboard.restatements import restated_by, restating_decisions, with_restatements
from leaderboard.templatetags.look import isoz
from leaderboard.views.shared import etag_of, not_modified, public_page, publicly
from submissions.views.shared import Visit

RELATED = (
    "entry__agent__organisation", "entry__benchmark", "entry__submission", "track", "decided_by", "supersedes",
    "appeal__answer",
)  # fmt: skip


@require_safe
def decision(request: HttpRequest, number: int) -> HttpResponse:
    """Any decision about a public entry. It never changes; only what followed from it is added."""
    found = get_object_or_404(_public(), pk=number)
    shown: dict[str, Any] = {
        "card": decision_card(found),
        "by": decider(found),
        "way": way_of(found),
        "about": about_of(found),
        "appeal": appeal_card(getattr(found, "appeal", None)),
        "clock": clock_of(found, timezone.now()),
        "is_correctable": not find_uncorrectable(found),
    }
    etag = etag_of(found.hash, shown)
    if answer := not_modified(request, etag):
        return answer
    restated = with_restatements(restating_decisions()).filter(pk=found.pk).first()
    context = {
        "decision": found,
        "entry": found.entry,
        "restated": restated_by(restated) if restated else None,
        **shown,
    }
    return public_page(request, "leaderboard/decision.html", context, etag)


def _public() -> QuerySet[Decision]:
    found = Decision.objects.filter(is_placed())
    return found.select_related(*RELATED)


@never_cache
@login_required
@require_safe
def evidence(request: Visit, number: int) -> HttpResponse:
    """The evidence of a decision and of its appeal, private or not, for the entry's team and maintainers."""
    found = get_object_or_404(Decision.objects.select_related(*RELATED), pk=number)
    is_public = public_entries().filter(pk=found.entry_id).exists()
    if not (request.user.may_maintain or (is_public and is_on_team(request.user, found.entry))):
        raise Http404
    context = {
        "decision": found,
        "entry": found.entry,
        "appeal": appeal_card(getattr(found, "appeal", None), with_private=True),
    }
    return render(request, "leaderboard/decision_evidence.html", context)


@require_safe
def checkpoints(request: HttpRequest) -> HttpResponse:
    """Everything signed about the chain of decisions, with the public keys: for keeping elsewhere."""
    newest = Checkpoint.objects.order_by("-count").first()
    etag = etag_of("checkpoints", newest and newest.signature)
    if answer := not_modified(request, etag):
        return answer
    body = {
        "keys": [
            {"key_id": key.key_id, "public_key": key.public_key, "first_used_at": isoz(key.first_used_at)}
            for key in SigningKey.objects.all()
        ],
        "checkpoints": list(Checkpoint.objects.values("document", "signature")),
    }
    return publicly(JsonResponse(body), etag)
