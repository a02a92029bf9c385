"""The team's confirmation: scope, who attests, and what it accepts."""

import uuid

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from grading.rings import ring
from submissions.attest import attest_and_confirm
from submissions.cards import CardConflict, latest_card
from submissions.closing import current_closure
from submissions.confirm import Confirmation, NotConfirmed
from submissions.forms import ConfirmForm
from submissions.models import Submission
from submissions.outlook import left_out, outlook_of
from submissions.progress import ScopeOffer, scope_offers
from submissions.quotas import allowance_of, is_counted
from submissions.reading import open_questions
from submissions.resubmission import replaceable
from submissions.run_card import RunCardError
from submissions.views.shared import Visit, own

STALE = {
    "code": "stale_card",
    "where": "run card",
    "message": "Somebody saved a revision just now. Look at it.",
}


@never_cache
@require_http_methods(["GET", "POST"])
def confirm_page(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """What the team confirms; posted, the submission is queued. Posting twice is the same as once."""
    submission = own(request, public_id)
    if submission.status != Submission.Status.AWAITING_TEAM:
        return redirect("submission", public_id)
    offers = scope_offers(submission)
    card = latest_card(submission)
    form = _form(request, submission, offers, card.number if card else 0)
    problems: list[dict[str, str]] = []
    if request.method == "POST" and form.is_valid():
        try:
            return _confirm(request, submission, form)
        except NotConfirmed as refused:
            problems = refused.problems
        except RunCardError as refused:
            problems = [{"code": p.code, "where": p.path, "message": p.message} for p in refused.problems]
        except CardConflict:
            problems = [STALE]
    return _page(request, submission, form, offers, problems)


def _form(request: Visit, submission: Submission, offers: list[ScopeOffer], revision: int) -> ConfirmForm:
    earlier = submission.supersedes
    initial = {
        "revision": revision,
        "supersedes": earlier.public_id if earlier else None,
        "what_changed": submission.what_changed,
    }
    return ConfirmForm(
        offers, request.POST or None, initial=initial, earlier=replaceable(request.user, submission)
    )


def _confirm(request: Visit, submission: Submission, form: ConfirmForm) -> HttpResponse:
    given = form.cleaned_data
    said = Confirmation(given["scope"], given["attested_name"], given["revision"], form.replaces())
    attest_and_confirm(submission, request.user, said, timezone.now())
    ring("submissions.tasks.advance", str(submission.public_id))
    return redirect("submission", submission.public_id)


def _page(
    request: Visit,
    submission: Submission,
    form: ConfirmForm,
    offers: list[ScopeOffer],
    problems: list[dict[str, str]],
) -> HttpResponse:
    card, bundle = latest_card(submission), getattr(submission, "bundle", None)
    context = {
        "submission": submission,
        "form": form,
        "offers": offers,
        "problems": problems,
        "card": card,
        "allowance": allowance_of(submission.team.organisation, timezone.now())
        if is_counted(submission)
        else None,
        "open_questions": open_questions(card.document if card else {}),
        "closure": current_closure(),
        "outlook": outlook_of(submission),
        "left_out": left_out(bundle.ignored if bundle else ()),
    }
    return render(request, "submissions/confirm.html", context)
