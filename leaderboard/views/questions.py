"""Asking a team, its answers, and its link to the source it promised."""

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from leaderboard.integrity.promises import PromiseRefused, show_source
from leaderboard.integrity.questions import ANSWER_WITHIN, AnswerRefused, answer_question, ask_team
from leaderboard.integrity.sides import is_on_team
from leaderboard.models import Question
from leaderboard.promise_words import promise_of
from leaderboard.views.acting import Page, act, entry_in_case, newest_seen
from leaderboard.views.case_forms import AskForm, SourceForm, TeamAnswerForm
from leaderboard.views.maintainers import for_maintainers
from submissions.views.shared import Visit, own

ASK_HELP = (
    f"A public, numbered decision. The team has {ANSWER_WITHIN.days} days; meanwhile the entry stays where it is. "
    "Its answer brings it back on the docket."
)


@for_maintainers
@require_http_methods(["GET", "POST"])
def ask(request: Visit, submission: uuid.UUID) -> HttpResponse:
    """Asks the team of a case."""
    entry = entry_in_case(submission)
    form = AskForm(request.POST or None, initial=newest_seen(entry))

    def decide() -> str:
        given = form.cleaned_data
        asked = ask_team(
            entry, given["question"], form.grounds(), request.user, timezone.now(), given["seen"]
        )
        return f"Asked by decision {asked.decision_id}. The team has until {asked.due_at:%Y-%m-%d}."

    return act(request, entry, form, decide, Page("Ask the team", "Ask", ASK_HELP, anchor="#questions"))


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def question(request: Visit, number: int) -> HttpResponse:
    """One question by the number of its decision, for its team to answer. For others it is on the entry."""
    found = _question(request, number)
    form = TeamAnswerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            answer_question(found, given["answer"], given["url"], request.user, timezone.now())
        except AnswerRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, "Your answer is with the maintainers.")
            return redirect("question", number)
    context = {"question": found, "form": form, "submission": found.entry.submission, "now": timezone.now()}
    return render(request, "leaderboard/question.html", context, status=422 if form.errors else 200)


def _question(request: Visit, number: int) -> Question:
    """The question, for the team that is asked; 404 for everybody else."""
    found = get_object_or_404(
        Question.objects.select_related("entry__submission__team", "entry__agent", "decision"),
        decision__pk=number,  # By the key itself: numbers too large for the database find nothing.
    )
    if not is_on_team(request.user, found.entry):
        raise Http404
    return found


@never_cache
@require_http_methods(["GET", "POST"])
def source(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """The link to the source that the run card promised."""
    submission = own(request, public_id)
    promise = promise_of(submission)
    if promise is None:
        messages.info(request, "The run card promises no source, so there is no link to give.")
        return redirect("submission", public_id)
    form = SourceForm(request.POST or None, initial={"url": promise.url})
    if request.method == "POST" and form.is_valid():
        try:
            show_source(submission, form.cleaned_data["url"], request.user, timezone.now())
        except PromiseRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, "The link is with the maintainers, who look at it.")
            return redirect("submission", public_id)
    context: dict[str, Any] = {"submission": submission, "promise": promise, "form": form}
    return render(request, "leaderboard/source.html", context, status=422 if form.errors else 200)
