"""The maintainers' docket: what waits, one case, and the forms by which they publish and verify organisations."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe

from grading.rings import ring
from leaderboard.docket import Case, Docket, may_decide, open_case, open_docket, without_findings
from leaderboard.docket_items import Item, Kind
from leaderboard.drawn import draw_once
from leaderboard.forms import PublishForm
from leaderboard.integrity.decide import DecisionRefused, publish
from leaderboard.integrity.sides import find_conflict_with
from leaderboard.models import Decision
from leaderboard.templatetags.case import clock, is_late, waited
from leaderboard.views.acting import newest_seen
from leaderboard.views.case_forms import DocketFilter, FirstDecisionForm
from leaderboard.views.maintainers import for_maintainers
from leaderboard.views.paging import list_url, page_context
from submissions.closing import count_held, current_closure
from submissions.models import Organisation, Submission
from submissions.people import PeopleError, verify_organisation
from submissions.reading import with_people
from submissions.views.shared import Visit

PER_PAGE = 50
WORDS = ("q", "kind", "benchmark", "severity", "mine")


@for_maintainers
@require_safe
def docket(request: Visit) -> HttpResponse:
    """All that waits for a maintainer, as one list with clocks. A filter that makes no sense is left out."""
    now = timezone.now()
    form = DocketFilter(request.GET)
    if not form.is_valid():
        form = DocketFilter(dict.fromkeys(WORDS, ""))
        form.full_clean()
    found = open_docket(request.user, form.narrowed(), now)
    page = Paginator(found.items, PER_PAGE).get_page(request.GET.get("page"))
    words = {name: str(form.data.get(name)) for name in WORDS if form.cleaned_data[name]}
    context = {
        "form": form,
        "docket": found,
        "now": now,
        "lines": [
            _draw(
                without_findings(item, request.user, found.tied),
                may_decide(item, request.user, found.tied),
                now,
            )
            for item in page
        ],
        **page_context(page, "docket", words),
        "kinds": _kinds(found, words),
        "is_narrowed": bool(words),
        "closure": current_closure(),
        "held": count_held(),
    }
    return render(request, "leaderboard/docket.html", context)


def _draw(item: Item, is_mine: bool, now: datetime) -> SafeString:
    """The line, drawn anew when one of its clocks says something else."""
    clocks = (clock(item, now), is_late(item, now), item.since and waited(item.since, now))
    return draw_once(
        "leaderboard/_docket_line.html",
        (repr(item), is_mine, clocks),
        lambda: {"item": item, "is_mine": is_mine, "now": now},
    )


def _kinds(found: Docket, words: Mapping[str, str]) -> list[dict[str, Any]]:
    """A tab for each kind with the number of its lines."""
    others = {name: word for name, word in words.items() if name != "kind"}
    now = words.get("kind", "")
    all_kinds = {
        "text": "everything",
        "url": list_url("docket", others),
        "count": found.total,
        "current": not now,
    }
    return [all_kinds] + [
        {
            "text": kind.value,
            "url": list_url("docket", {**others, "kind": kind.value}),
            "count": found.counts[kind.value],
            "current": now == kind.value,
        }
        for kind in Kind
    ]


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
    found = with_people(Submission.objects.visible_to(request.user)).select_related(
        "entry__agent__organisation", "bundle"
    )
    return open_case(get_object_or_404(found, public_id=public_id), request.user)


def _publish_form(found: Case, posted: Any = None) -> PublishForm:
    seen = newest_seen(found.entry) if found.entry else {}
    is_waiting = any(not question.is_answered for question in found.questions)
    return FirstDecisionForm(posted, is_waiting=is_waiting, initial={"track": found.proposal.track, **seen})


def _case_page(request: Visit, found: Case, form: PublishForm, status: int = 200) -> HttpResponse:
    context = {"case": found, "submission": found.submission, "entry": found.entry, "form": form}
    return render(request, "leaderboard/case.html", {**context, "now": timezone.now()}, status=status)


@for_maintainers
@require_http_methods(["GET", "POST"])
def verify(request: Visit, slug: str) -> HttpResponse:
    """Verifies an organisation, after which its waiting submissions are graded. Twice is the same as once."""
    organisation = get_object_or_404(Organisation, slug=slug)
    if request.method != "POST":
        return _organisation_page(request, organisation)
    try:
        waiting = verify_organisation(organisation, request.user, timezone.now())
    except PeopleError as refused:
        messages.error(request, str(refused))
        return redirect("docket")
    for public_id in waiting:
        ring("submissions.tasks.advance", str(public_id))
    messages.success(request, f"{organisation} is verified. Its submissions are graded from now on.")
    return redirect("docket")


def _organisation_page(request: Visit, organisation: Organisation) -> HttpResponse:
    """Who it says it is, before a maintainer says that it is true."""
    submissions = with_people(Submission.objects.filter(team__organisation=organisation))
    context = {
        "organisation": organisation,
        "teams": organisation.teams.prefetch_related("members__user"),
        "submissions": submissions.order_by("-created_at")[:20],
        "conflict": find_conflict_with(request.user, [organisation]),
    }
    return render(request, "leaderboard/verify_organisation.html", context)
