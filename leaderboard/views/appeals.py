"""Appeals: the team's form beside a decision, and the form by which a second maintainer answers."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from leaderboard.decision_page import appeal_card
from leaderboard.entry_page import decision_card
from leaderboard.forms import AppealAnswerForm, AppealForm
from leaderboard.integrity.appeals import (
    EFFECTS,
    deny_appeal,
    file_appeal,
    find_appeal_conflict,
    grant_appeal,
    may_be_appealed,
    places_still,
)
from leaderboard.integrity.deciding import DecisionRefused
from leaderboard.integrity.sides import is_on_team, leads_team
from leaderboard.models import Appeal, Decision
from leaderboard.public import is_placed
from leaderboard.views.maintainers import for_maintainers
from leaderboard.views.review import decided, newest_seen
from submissions.views.shared import Visit

RELATED = ("entry__agent__organisation", "entry__benchmark", "entry__submission", "track", "decided_by")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def appeal(request: Visit, number: int) -> HttpResponse:
    """The team's appeal against a decision; 404 for everybody else, and its members are told who may send it."""
    found = get_object_or_404(Decision.objects.filter(is_placed()).select_related(*RELATED), pk=number)
    if not is_on_team(request.user, found.entry):
        raise Http404
    form = AppealForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            file_appeal(found, form.objection(), request.user, timezone.now())
            messages.success(
                request, "Your appeal stands beside the decision. Another maintainer answers it."
            )
            # Here and not to the decision: public pages are the same for everybody, so that none says it.
            return redirect("decision-appeal", found.pk)
        except DecisionRefused as refused:
            form.add_error(None, str(refused))
    context = {
        "decision": found,
        "card": _card(found),
        "form": form,
        "is_open": may_be_appealed(found, timezone.now()),
        "may_send": leads_team(request.user, found.entry),
        "effect": EFFECTS.get(found.kind, ""),
        "filed": appeal_card(getattr(found, "appeal", None), with_private=True),
    }
    return render(request, "leaderboard/appeal.html", context, status=422 if form.errors else 200)


@for_maintainers
@require_http_methods(["GET", "POST"])
def answer(request: Visit, number: int) -> HttpResponse:
    """Grants or denies an appeal, with grounds of its own."""
    related = [f"decision__{name}" for name in RELATED]
    found = get_object_or_404(Appeal.objects.select_related("answer", *related), pk=number)
    decision = found.decision
    form = AppealAnswerForm(
        places_still(decision, timezone.now()), request.POST or None, initial=newest_seen(decision.entry)
    )

    def decide() -> str:
        given, now = form.cleaned_data, timezone.now()
        if given["answer"] == "grant":
            made = grant_appeal(found, form.grounds(), request.user, now, given.get("track"), given["seen"])
        else:
            made = deny_appeal(found, form.grounds(), request.user, now, given["seen"])
        return f"{made.get_kind_display().capitalize()} by decision {made.pk}."

    page = {
        "title": f"Answer the appeal against decision {decision.pk}",
        "button": "Decide",
        "help": f"Granting it {EFFECTS[decision.kind]}. Either answer is public, with your name.",
        "appeal_card": appeal_card(found, with_private=True),
        "appealed": _card(decision),
        "conflict": find_appeal_conflict(request.user, found),
    }
    return decided(request, decision.entry, form, decide, page)


def _card(decision: Decision) -> dict[str, Any]:
    """With its evidence even if that is private: both sides see it."""
    return {**decision_card(decision), "evidence_url": decision.evidence_url, "evidence_text": ""}
