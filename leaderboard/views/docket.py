"""The maintainers' docket: what waits, one case, and the forms by which they decide."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading.rings import ring
from leaderboard.docket import Case, open_case, open_docket
from leaderboard.forms import PublishForm
from leaderboard.integrity.decide import DecisionRefused, publish
from leaderboard.models import Decision
from leaderboard.views.maintainers import for_maintainers
from submissions.models import Organisation, Submission
from submissions.people import PeopleError, verify_organisation
from submissions.reading import with_people
from submissions.views.shared import Visit


@for_maintainers
@require_safe
def docket(request: Visit) -> HttpResponse:
    """All that waits for a maintainer."""
    return render(request, "leaderboard/docket.html", {"docket": open_docket()})


@for_maintainers
@require_safe
def case(request: Visit, submission: uuid.UUID) -> HttpResponse:
    """One submission with its claims and counts. Scores are not read here."""
    found = _case(request, submission)
    return _case_page(request, found, _publish_form(found))


@for_maintainers
@require_http_methods(["GET", "POST"])
def publish_page(request: Visit, submission: uuid.UUID) -> HttpResponse:
    """The decision form; posted, the entry is public. Posting it again finds it done."""
    found = _case(request, submission)
    if done := _published(found):
        return _say_published(request, found, done)
    form = _publish_form(found, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return _publish(request, found, form)
        except DecisionRefused as refused:
            # Of a form sent twice at once, the second ends here.
            if done := _published(found):
                return _say_published(request, found, done)
            form.add_error(None, str(refused))
    return _case_page(request, found, form, status=422 if form.errors else 200)


def _publish(request: Visit, found: Case, form: PublishForm) -> HttpResponse:
    if found.entry is None:
        raise DecisionRefused("Nothing can be published before every run is graded and the review is open.")
    given = form.cleaned_data
    decision = publish(
        found.entry, given["track"], form.grounds(), request.user, timezone.now(), given["seen"]
    )
    messages.success(request, f"Published on {decision.track} by decision {decision.pk}.")
    return redirect("docket-case", found.submission.public_id)


def _say_published(request: Visit, found: Case, done: Decision) -> HttpResponse:
    messages.info(request, f"This was published already, by decision {done.pk}. Nothing was changed.")
    return redirect("docket-case", found.submission.public_id)


def _published(found: Case) -> Decision | None:
    """The decision by which the entry was published, if it was."""
    if found.entry is None:
        return None
    return Decision.objects.filter(entry=found.entry, kind=Decision.Kind.PUBLISH).order_by("pk").first()


def _case(request: Visit, public_id: uuid.UUID) -> Case:
    found = with_people(Submission.objects.visible_to(request.user)).select_related("entry__agent", "bundle")
    return open_case(get_object_or_404(found, public_id=public_id), request.user)


def _publish_form(found: Case, posted: Any = None) -> PublishForm:
    return PublishForm(posted, initial={"track": found.proposal.track})


def _case_page(request: Visit, found: Case, form: PublishForm, status: int = 200) -> HttpResponse:
    context = {"case": found, "submission": found.submission, "form": form}
    return render(request, "leaderboard/case.html", context, status=status)


@for_maintainers
@require_POST
def verify(request: Visit, slug: str) -> HttpResponse:
    """Verifies an organisation, after which its waiting submissions are graded. Twice is the same as once."""
    organisation = get_object_or_404(Organisation, slug=slug)
    try:
        waiting = verify_organisation(organisation, request.user, timezone.now())
    except PeopleError as refused:
        messages.error(request, str(refused))
        return redirect("docket")
    for public_id in waiting:
        ring("submissions.tasks.advance", str(public_id))
    messages.success(request, f"{organisation} is verified. Its submissions are graded from now on.")
    return redirect("docket")
