"""Deciding about published entries: move and withdraw, and what every form of a decision has in common."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from leaderboard.flag_page import flag_card
from leaderboard.forms import GroundsForm, MoveForm
from leaderboard.integrity.decide import (
    DecidedAlready,
    DecisionRefused,
    find_conflict,
    move_entry,
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
    """Another track for a published entry. `?flag=`: in answer to which flag; else the team's own report, if any."""
    entry = get_object_or_404(public_entries(), slug=slug)
    placement = current_placement(entry, timezone.now())
    flags = movable_flags(entry)
    chosen = flag_asked(flags, request.GET.get("flag", ""))
    initial = {**newest_seen(entry), "flag": chosen}
    form = MoveForm(placement.track if placement else None, flags, request.POST or None, initial=initial)

    def decide() -> str:
        given = form.cleaned_data
        track, flag = given["track"], given["flag"]
        decision = move_entry(entry, track, form.grounds(), request.user, timezone.now(), given["seen"], flag)
        return f"Moved to {track} by decision {decision.pk}."

    page: dict[str, Any] = {"title": "Move to another track", "button": "Move", "help": MOVE_HELP}
    if chosen:
        page["flag_card"] = flag_card(chosen, timezone.now(), with_private=True)
    return decided(request, entry, form, decide, page)


def movable_flags(entry: Entry) -> QuerySet[Flag]:
    """What a move may answer: open flags, and the team's own reports that were upheld; newest first."""
    reported = Q(state=Flag.State.UPHELD, is_self_reported=True)
    return entry.flags.filter(Q(state=Flag.State.OPEN) | reported).order_by("-pk")


def flag_asked(flags: QuerySet[Flag], number: str) -> Flag | None:
    """The flag of that number; without one, the team's newest report, which must not be passed over in silence."""
    if number:
        return flags.filter(pk=int(number)).first() if number.isdecimal() and len(number) < 10 else None
    return flags.filter(is_self_reported=True).first()


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
        "back": reverse("entry", args=[entry.slug]),
        **page,
    }
    template = page.get("template", "leaderboard/decide.html")
    return render(request, template, context, status=422 if form.errors else 200)


def newest_seen(entry: Entry) -> dict[str, Any]:
    newest = entry.decisions.order_by("-pk").first()
    return {"seen": newest.pk if newest else 0}


# Marks the page that follows a decision, which shows what was done instead of the form.
DONE = "done"
MOVE_HELP = (
    "The move is public at once, with your name, and is never deleted. It can be superseded by another."
)
WITHDRAW_HELP = "It leaves every board for good. Its page, runs and decisions stay, marked as withdrawn."
