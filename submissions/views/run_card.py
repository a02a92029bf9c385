"""The run card as a form: each save is a new revision."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from submissions.cards import CardConflict, add_revision, latest_card
from submissions.models import RunCardRevision, Submission
from submissions.reading import ATTESTATION, open_questions, shown_card
from submissions.run_card import Problem, RunCardError, apply_form, draft_form, form_fields
from submissions.views.shared import Visit, own, visible

NO_CARD = RunCardRevision(number=0, document={})


@never_cache
@require_http_methods(["GET", "POST"])
def edit(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """The form while the team may mend it, later the card as confirmed; posted, a new revision."""
    if request.method == "POST":
        return _save(request, own(request, public_id))
    submission = visible(request, public_id)
    card = shown_card(submission) or NO_CARD
    return _card_page(request, submission, card, card.document)


def _save(request: Visit, submission: Submission) -> HttpResponse:
    newest = latest_card(submission) or NO_CARD
    if submission.status != Submission.Status.AWAITING_TEAM:
        messages.error(request, "The run card is closed: this submission is no longer waiting for your team.")
        return redirect("submission-run-card", submission.public_id)
    posted = dict(request.POST.lists())
    try:
        document = apply_form(newest.document, posted)
        card = add_revision(submission, document, request.user, _number(request.POST.get("based_on")))
    except RunCardError as error:
        return _again(request, submission, newest, posted, problems=error.problems)
    except CardConflict:
        return _again(request, submission, newest, posted, is_stale=True)
    messages.success(request, _saved(card, newest))
    return redirect("submission-run-card", submission.public_id)


def _saved(card: RunCardRevision, before: RunCardRevision) -> str:
    if card.number == before.number:
        return f"Nothing changed; revision {card.number} is still the newest."
    return f"Saved as revision {card.number}. Its changes are listed below."


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else -1


def _again(
    request: Visit,
    submission: Submission,
    newest: RunCardRevision,
    posted: dict[str, list[str]],
    **more: Any,
) -> HttpResponse:
    """The form with what was posted, so that no answer is lost."""
    draft = draft_form(newest.document, posted)
    return _card_page(request, submission, newest, draft, status=409 if more.get("is_stale") else 422, **more)


def _card_page(
    request: Visit,
    submission: Submission,
    card: RunCardRevision,
    document: dict[str, Any],
    status: int = 200,
    problems: tuple[Problem, ...] = (),
    is_stale: bool = False,
) -> HttpResponse:
    is_member = Submission.objects.of_member(request.user).filter(pk=submission.pk).exists()
    is_open = submission.status == Submission.Status.AWAITING_TEAM and is_member
    sections = form_fields(document, blank_rows=1 if is_open else 0)
    if is_open:
        sections = [section for section in sections if section.name != ATTESTATION]
    context = {
        "submission": submission,
        "card": card,
        "sections": sections,
        "problems": problems,
        "is_open": is_open,
        "is_stale": is_stale,
        "open_questions": open_questions(document),
        "author": card.author,
    }
    return render(request, "submissions/run_card.html", context, status=status)
