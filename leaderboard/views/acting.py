"""What the forms have in common by which maintainers act on a case: one page, one answer, back to the case."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from leaderboard.integrity.deciding import DecidedAlready, DecisionRefused, find_conflict
from leaderboard.models import Entry
from leaderboard.public import public_entries
from leaderboard.views.review import newest_seen
from submissions.models import Submission
from submissions.reading import with_people
from submissions.views.shared import Visit

__all__ = ["Page", "act", "entry_in_case", "newest_seen", "public_entry", "way_back"]


@dataclass(frozen=True)
class Page:
    """What the page of an action says. `about`: a template that shows what it is about, fed with `context`."""

    title: str
    button: str
    help: str
    about: str = ""
    context: dict[str, Any] | None = None
    anchor: str = ""
    is_danger: bool = False


def entry_in_case(public_id: uuid.UUID) -> Entry:
    """The entry of a submission whose review is open, published or not; 404 where there is none yet."""
    submission = get_object_or_404(
        with_people(Submission.objects.all()).select_related("entry__agent__organisation"),
        public_id=public_id,
    )
    entry: Entry | None = getattr(submission, "entry", None)
    if entry is None:
        raise Http404
    return entry


def public_entry(slug: str) -> Entry:
    return get_object_or_404(public_entries(), slug=slug)


def way_back(entry: Entry) -> str:
    """The case; an imported entry has none, but a page."""
    if entry.submission is None:
        return reverse("entry", args=[entry.slug])
    return reverse("docket-case", args=[entry.submission.public_id])


def act(
    request: Visit, entry: Entry, form: forms.Form, decide: Callable[[], str], page: Page
) -> HttpResponse:
    """The form until it holds; then the case, which says what was done. A refusal stays in the form."""
    if request.method == "POST" and form.is_valid():
        try:
            messages.success(request, decide())
            return redirect(f"{way_back(entry)}{page.anchor}")
        except DecidedAlready as done:
            messages.info(request, str(done))
            return redirect(f"{way_back(entry)}{page.anchor}")
        except DecisionRefused as refused:
            form.add_error(None, str(refused))
    context = {
        **(page.context or {}),
        "entry": entry,
        "form": form,
        "page": page,
        "back": way_back(entry),
        "conflict": find_conflict(request.user, entry),
    }
    return render(request, "leaderboard/act.html", context, status=422 if form.errors else 200)
