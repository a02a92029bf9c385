"""Flags from being raised to being answered: the public list, the team's view, and the forms."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from leaderboard.flag_page import (
    draw_flag,
    flag_card,
    is_public,
    list_flags,
    private_flags_of,
    public_flags,
    raised_by,
    with_replies,
)
from leaderboard.forms import AnswerForm, GroundsForm, ReplyForm, SelfReportForm
from leaderboard.integrity.decide import answer_flag, flag_entry, raise_flag
from leaderboard.integrity.deciding import DecisionRefused, find_conflict
from leaderboard.integrity.flags import reply_to_flag
from leaderboard.integrity.self_report import competitions_of, report_own_leak
from leaderboard.integrity.sides import entries_of, is_on_team, sees_private
from leaderboard.models import Flag
from leaderboard.public import public_entries
from leaderboard.views.maintainers import for_maintainers
from leaderboard.views.paging import LongPaginator, list_url, page_context
from leaderboard.views.review import decided, newest_seen
from leaderboard.views.shared import public_page
from submissions.paging import keys_of, rows_of
from submissions.views.shared import Visit

PER_PAGE = 20
PRIVATE_DAYS = Flag.PRIVATE_FOR.days


@require_safe
def flags(request: HttpRequest) -> HttpResponse:
    """Every flag that anybody may see, newest first, or those in one state."""
    now, state = timezone.now(), request.GET.get("state", "")
    if state and state not in Flag.State.values:
        raise Http404
    found = list_flags(public_flags(now).filter(state=state) if state else public_flags(now))
    page = LongPaginator(found, PER_PAGE, "flags", {"state": state}).get_page(request.GET.get("page"))
    context = {
        "cards": [draw_flag(flag, now) for flag in page],
        "choices": [
            {"text": text, "url": list_url("flags", {"state": value}), "current": value == state}
            for value, text in (("", "All"), *Flag.State.choices)
        ],
        **page_context(page, "flags", {"state": state}),
        "private_days": PRIVATE_DAYS,
    }
    return public_page(request, "leaderboard/flags.html", context)


@never_cache
@login_required
@require_safe
def own_flags(request: Visit) -> HttpResponse:
    """Flags on the entries of one's teams that are not public yet, and those one raised."""
    now = timezone.now()
    about_us = LongPaginator(
        list_flags(private_flags_of(request.user, now)),
        PER_PAGE,
        "flags-own",
        {"user": str(request.user.pk)},
    ).get_page(request.GET.get("page"))
    raised = list_flags(raised_by(request.user))
    context = {
        "about_us": [(flag.pk, draw_flag(flag, now, with_private=True)) for flag in about_us],
        **page_context(about_us, "flags-own", {}),
        "raised": [draw_flag(flag, now) for flag in rows_of(raised, keys_of(raised[:PER_PAGE]))],
        "private_days": PRIVATE_DAYS,
    }
    return render(request, "leaderboard/own_flags.html", context)


@require_safe
def flag(request: HttpRequest, number: int) -> HttpResponse:
    """One flag: the same page for everybody once it is public, before that for the team and maintainers alone."""
    now = timezone.now()
    found = get_object_or_404(with_replies(Flag.objects.all()), pk=number)
    if is_public(found, now):
        context = {"flag": found, "card": flag_card(found, now), "base": "base_public.html"}
        return public_page(request, "leaderboard/flag.html", context)
    return _private_flag(request, found)


@never_cache
def _private_flag(request: Any, found: Flag) -> HttpResponse:
    user = request.user
    if not sees_private(user, found.entry):
        raise Http404
    context = {
        "flag": found,
        "card": flag_card(found, timezone.now(), with_private=True),
        "base": "base.html",
        "may_reply": is_on_team(user, found.entry),
        "may_answer": user.may_maintain and not find_conflict(user, found.entry),
        "is_private": True,
    }
    return render(request, "leaderboard/flag.html", context)


@never_cache
@login_required
@require_safe
def evidence(request: Visit, number: int) -> HttpResponse:
    """The flag with its private evidence, for the team and maintainers, also once the rest is public."""
    return _private_flag(request, get_object_or_404(with_replies(Flag.objects.all()), pk=number))


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def reply(request: Visit, number: int) -> HttpResponse:
    """The team's word on a flag; 404 for everybody else."""
    found = get_object_or_404(with_replies(Flag.objects.all()), pk=number)
    if not is_on_team(request.user, found.entry):
        raise Http404
    form = ReplyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            reply_to_flag(found, form.cleaned_data["text"], request.user, timezone.now())
            messages.success(request, "Your reply stands beside the flag.")
            return redirect("flag-evidence", found.pk)
        except DecisionRefused as refused:
            form.add_error(None, str(refused))
    card = flag_card(found, timezone.now(), with_private=True)
    context = {"form": form, "flag": found, "card": card}
    return render(request, "leaderboard/flag_reply.html", context, status=422 if form.errors else 200)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def new(request: Visit, slug: str) -> HttpResponse:
    """A doubt about an entry. Anybody's waits for a maintainer; a maintainer's own is a decision at once."""
    entry = get_object_or_404(public_entries(), slug=slug)
    form = GroundsForm(request.POST or None, initial=newest_seen(entry))
    user = request.user

    def decide() -> str:
        now = timezone.now()
        if user.may_maintain:
            decision = flag_entry(entry, form.grounds(), user, now, form.cleaned_data["seen"])
            return f"Flagged by decision {decision.pk}."
        raised = raise_flag(entry, form.grounds(), user, now)
        return (
            f"Flag {raised.pk} was raised. The entry's team and the maintainers see it now. It is public once a "
            f"maintainer has answered it, and on {raised.public_at:%d %b %Y} at the latest."
        )

    said = OWN_FLAG_HELP if user.may_maintain else FLAG_HELP
    page = {"title": "Raise a flag", "button": "Raise the flag", "help": said}
    return decided(request, entry, form, decide, page)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def report(request: Visit, slug: str) -> HttpResponse:
    """A team's report of a leak in its own entry, published or in review; 404 for everybody else."""
    related = "agent__organisation", "benchmark", "submission"
    entry = get_object_or_404(entries_of(request.user).select_related(*related), slug=slug)
    form = SelfReportForm(competitions_of(entry), request.POST or None, initial=newest_seen(entry))

    def decide() -> str:
        wanted = form.cleaned_data["competitions"]
        raised = report_own_leak(entry, form.grounds(), wanted, request.user, timezone.now())
        return f"Reported as flag {raised.pk}. The decision that follows will say that your team reported it itself."

    page = {
        "title": "Report a leak",
        "button": "Report it",
        "help": REPORT_HELP,
        "back": reverse("flags-own"),
    }
    return decided(request, entry, form, decide, page)


@for_maintainers
@require_http_methods(["GET", "POST"])
def answer(request: Visit, number: int) -> HttpResponse:
    """Upholds or dismisses a flag, with grounds of its own."""
    found = get_object_or_404(with_replies(Flag.objects.all()), pk=number)
    form = AnswerForm(request.POST or None, initial=newest_seen(found.entry))

    def decide() -> str:
        upheld, seen = form.cleaned_data["answer"] == "uphold", form.cleaned_data["seen"]
        decision = answer_flag(found, upheld, form.grounds(), request.user, timezone.now(), seen)
        return f"{'Upheld' if upheld else 'Dismissed'} by decision {decision.pk}."

    page = {
        "title": "Answer a flag",
        "button": "Decide",
        "help": ANSWER_HELP,
        "flag": found,
        "may_move": True,
        "flag_card": flag_card(found, timezone.now(), with_private=True),
    }
    return decided(request, found.entry, form, decide, page)


FLAG_HELP = (
    "Say which rule this entry breaks and link to the evidence. The entry's team and the maintainers see it, and may "
    f"answer; after {PRIVATE_DAYS} days at the latest everybody does. Your name is not shown."
)
OWN_FLAG_HELP = (
    "Say which rule this entry breaks and link to the evidence. A maintainer's flag is a decision: public at once, "
    "with your name. The entry stays where it stands."
)
REPORT_HELP = (
    "Say what reached your agent that should not have. Maintainers answer with a public decision that says your team "
    "reported it itself. Nothing is worse for having been reported."
)
ANSWER_HELP = (
    "The answer is public, with your name. An upheld flag shows on the entry; the track is not changed by it."
)
