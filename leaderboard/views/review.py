"""Deciding about published entries: move, withdraw, and flags from being raised to being answered."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from leaderboard.forms import AnswerForm, GroundsForm, MoveForm
from leaderboard.integrity.decide import (
    DecidedAlready,
    DecisionRefused,
    answer_flag,
    find_conflict,
    flag_entry,
    move_entry,
    raise_flag,
    withdraw_entry,
)
from leaderboard.models import Entry, Flag
from leaderboard.public import public_entries
from leaderboard.standings import current_placement
from leaderboard.views.maintainers import for_maintainers
from submissions.views.shared import Visit


@for_maintainers
@require_http_methods(["GET", "POST"])
def move(request: Visit, slug: str) -> HttpResponse:
    """Another track for a published entry."""
    entry = get_object_or_404(public_entries(), slug=slug)
    placement = current_placement(entry, timezone.now())
    standing = placement.track if placement else None
    form = MoveForm(standing, request.POST or None, initial=newest_seen(entry))

    def decide() -> str:
        track = form.cleaned_data["track"]
        decision = move_entry(
            entry, track, form.grounds(), request.user, timezone.now(), form.cleaned_data["seen"]
        )
        return f"Moved to {track} by decision {decision.pk}."

    page = {"title": "Move to another track", "button": "Move", "help": MOVE_HELP}
    return decided(request, entry, form, decide, page)


@for_maintainers
@require_http_methods(["GET", "POST"])
def withdraw(request: Visit, slug: str) -> HttpResponse:
    """Takes a published entry off its boards; its page stays."""
    entry = get_object_or_404(public_entries(), slug=slug)
    form = GroundsForm(request.POST or None, initial=newest_seen(entry))

    def decide() -> str:
        decision = withdraw_entry(
            entry, form.grounds(), request.user, timezone.now(), form.cleaned_data["seen"]
        )
        return f"Withdrawn by decision {decision.pk}."

    page = {"title": "Withdraw", "button": "Withdraw for good", "help": WITHDRAW_HELP, "is_danger": True}
    return decided(request, entry, form, decide, page)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def flag(request: Visit, slug: str) -> HttpResponse:
    """A doubt about an entry. Anybody's waits for a maintainer; a maintainer's own is a decision at once."""
    entry = get_object_or_404(public_entries(), slug=slug)
    form = GroundsForm(request.POST or None, initial=newest_seen(entry))
    user = request.user

    def decide() -> str:
        if user.may_maintain:
            seen = form.cleaned_data["seen"]
            decision = flag_entry(entry, form.grounds(), user, timezone.now(), seen)
            return f"Flagged by decision {decision.pk}."
        raise_flag(entry, form.grounds(), user, timezone.now())
        return "Your flag was raised. Maintainers see it now; an upheld one shows on the entry."

    page = {"title": "Raise a flag", "button": "Raise the flag", "help": FLAG_HELP}
    return decided(request, entry, form, decide, page)


@for_maintainers
@require_http_methods(["GET", "POST"])
def answer(request: Visit, number: int) -> HttpResponse:
    """Upholds or dismisses a flag, with grounds of its own."""
    found = get_object_or_404(
        Flag.objects.select_related("entry__agent__organisation", "decision"), pk=number
    )
    form = AnswerForm(request.POST or None, initial=newest_seen(found.entry))

    def decide() -> str:
        upheld, seen = form.cleaned_data["answer"] == "uphold", form.cleaned_data["seen"]
        decision = answer_flag(found, upheld, form.grounds(), request.user, timezone.now(), seen)
        return f"{'Upheld' if upheld else 'Dismissed'} by decision {decision.pk}."

    page = {"title": "Answer a flag", "button": "Decide", "help": ANSWER_HELP, "flag": found}
    return decided(request, found.entry, form, decide, page)


def decided(
    request: Visit, entry: Entry, form: GroundsForm, decide: Callable[[], str], page: dict[str, Any]
) -> HttpResponse:
    """The form until it holds; then, after a redirect, what was decided. A refusal stays in the form."""
    user = request.user
    if request.method == "POST" and form.is_valid():
        try:
            messages.success(request, decide())
            return redirect(f"{request.path}?{DONE}")
        except DecidedAlready as done:
            messages.info(request, str(done))
            return redirect(f"{request.path}?{DONE}")
        except DecisionRefused as refused:
            form.add_error(None, str(refused))
    context = {
        "entry": entry,
        "form": form,
        "conflict": find_conflict(user, entry) if user.may_maintain else "",
        "is_done": DONE in request.GET,
        **page,
    }
    return render(request, "leaderboard/decide.html", context, status=422 if form.errors else 200)


def newest_seen(entry: Entry) -> dict[str, Any]:
    newest = entry.decisions.order_by("-pk").first()
    return {"seen": newest.pk if newest else 0}


# Marks the page that follows a decision, which shows what was done instead of the form.
DONE = "done"
MOVE_HELP = (
    "The move is public at once, with your name, and is never deleted. It can be superseded by another."
)
WITHDRAW_HELP = "It leaves every board for good. Its page, runs and decisions stay, marked as withdrawn."
FLAG_HELP = (
    "Say which rule this entry breaks and link to the evidence. Maintainers answer with a public decision."
)
ANSWER_HELP = (
    "The answer is public, with your name. An upheld flag shows on the entry; the track is not changed by it."
)
