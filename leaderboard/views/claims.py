"""Ruling on the claims and findings of a case, and noting something on an entry."""

import uuid

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from leaderboard.forms import GroundsForm
from leaderboard.integrity.annotating import annotate_entry
from leaderboard.integrity.answer_findings import dismiss_finding, uphold_finding
from leaderboard.integrity.sides import may_judge
from leaderboard.integrity.verifying import lift_ruling, verify_claim
from leaderboard.models import Claim, Entry, Finding
from leaderboard.views.acting import Page, act, entry_in_case, newest_seen, public_entry
from leaderboard.views.case_forms import FindingForm, NoteForm, VerifyForm
from leaderboard.views.maintainers import for_maintainers
from submissions.views.shared import Visit

VERIFY_HELP = "A public, numbered decision. The proposed track follows from the claims as they stand then."
LIFT_HELP = (
    "The claim says again what it said before. The decision that is lifted stays on record, superseded."
)
NOTE_HELP = "It moves nothing. Readers see it on the entry, with your name."
FINDING_HELP = (
    "A finding is a signal, not guilt. It becomes public by a decision that upholds it, and by nothing else."
)


@for_maintainers
@require_http_methods(["GET", "POST"])
def verify(request: Visit, submission: uuid.UUID, code: str) -> HttpResponse:
    """What a maintainer found one claim to be worth."""
    entry = entry_in_case(submission)
    claim = _claim(entry, code)
    form = VerifyForm(claim, request.POST or None, initial=newest_seen(entry))

    def decide() -> str:
        seen = form.cleaned_data["seen"]
        decision = verify_claim(claim, form.ruling(), form.grounds(), request.user, timezone.now(), seen)
        return f"{claim.title}: {claim.get_state_display()} by decision {decision.pk}."

    page = Page(
        f"Verify “{claim.title}”",
        "Decide",
        VERIFY_HELP,
        "leaderboard/_claim.html",
        {"claim": claim},
        "#claims",
    )
    return act(request, entry, form, decide, page)


@for_maintainers
@require_http_methods(["GET", "POST"])
def lift(request: Visit, submission: uuid.UUID, code: str) -> HttpResponse:
    """Takes back what a maintainer said about a claim."""
    entry = entry_in_case(submission)
    claim = _claim(entry, code)
    form = GroundsForm(request.POST or None, initial=newest_seen(entry))

    def decide() -> str:
        seen = form.cleaned_data["seen"]
        decision = lift_ruling(claim, form.grounds(), request.user, timezone.now(), seen)
        return f"{claim.title} is {claim.get_state_display()} again, by decision {decision.pk}."

    page = Page(
        f"Lift the ruling on “{claim.title}”", "Lift it", LIFT_HELP, "leaderboard/_claim.html", {"claim": claim},
        "#claims",
    )  # fmt: skip
    return act(request, entry, form, decide, page)


def _claim(entry: Entry, code: str) -> Claim:
    claims = Claim.objects.select_related("decision", "submission__entry")
    return get_object_or_404(claims, submission=entry.submission, code=code)


@for_maintainers
@require_http_methods(["GET", "POST"])
def finding(request: Visit, submission: uuid.UUID, number: int) -> HttpResponse:
    """Upholds a finding by a public decision, or dismisses it among maintainers.

    404 for maintainers of the organisation concerned, as it is for its team.
    """
    entry = entry_in_case(submission)
    findings = Finding.objects.select_related("submission__entry", "answered_by")
    found = get_object_or_404(findings, submission=entry.submission, pk=number)
    if not may_judge(request.user, found.submission):
        raise Http404
    form = FindingForm(request.POST or None, initial=newest_seen(entry))

    def decide() -> str:
        now, given = timezone.now(), form.cleaned_data
        if not form.is_upheld:
            dismiss_finding(found, given["note"], request.user, now)
            return "Dismissed. Nothing of it is public."
        decision = uphold_finding(found, form.grounds(), request.user, now, given["seen"])
        return f"Upheld: the entry is flagged by decision {decision.pk}."

    page = Page(
        f"Answer the finding “{found.title}”", "Answer", FINDING_HELP, "leaderboard/_finding.html",
        {"finding": found}, "#findings",
    )  # fmt: skip
    return act(request, entry, form, decide, page)


@for_maintainers
@require_http_methods(["GET", "POST"])
def annotate_case(request: Visit, submission: uuid.UUID) -> HttpResponse:
    """A note on the entry of a case, published or not yet."""
    return _annotate(request, entry_in_case(submission))


@for_maintainers
@require_http_methods(["GET", "POST"])
def annotate(request: Visit, slug: str) -> HttpResponse:
    """A note on a published entry, imported ones among them."""
    return _annotate(request, public_entry(slug))


def _annotate(request: Visit, entry: Entry) -> HttpResponse:
    form = NoteForm(request.POST or None, initial=newest_seen(entry))

    def decide() -> str:
        seen = form.cleaned_data["seen"]
        decision = annotate_entry(entry, form.grounds(), request.user, timezone.now(), seen)
        return f"Noted by decision {decision.pk}."

    return act(request, entry, form, decide, Page("Annotate", "Annotate", NOTE_HELP, anchor="#decided"))
