"""Following a submission: the team's list, one submission's life, taking it back."""

import hashlib
import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from submissions.forecast import Forecast, forecast_of
from submissions.forms import FileForm
from submissions.life import events_of, left_at, next_step, poll_s
from submissions.models import Submission
from submissions.outlook import left_out, outlook_of
from submissions.paging import KeyedPaginator
from submissions.progress import LISTED_AT_MOST, Counts, bad_runs, run_lines, seed_labels, tally_runs
from submissions.run_grid import grid
from submissions.states import StatusConflict
from submissions.uploads import received_bytes
from submissions.views.shared import Visit, own, visible
from submissions.views.upload import upload_terms
from submissions.withdraw import can_withdraw, withdraw

PER_PAGE = 50
LINE = ("public_id", "status", "scope", "created_at", "team__name", "benchmark__title", "upload__filename")
SEEDS_PER_PAGE = 10
UNCHANGED = 204
MOST_LOOKS = 4
# What intake saw in the CSVs is of use until gradings say more.
UNGRADED = (Submission.Status.AWAITING_TEAM, Submission.Status.QUEUED)


@login_required
@never_cache
@require_safe
def own_list(request: Visit) -> HttpResponse:
    """Those of the user's teams, newest first."""
    found = Submission.objects.listed_for(request.user).select_related("team", "benchmark", "upload")
    shown = KeyedPaginator(found.only(*LINE), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "submissions/list.html", {"shown": shown, "submissions": shown.object_list})


@never_cache
@require_safe
def detail(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """The whole page, or for htmx its live part; 204 where that would be what it shows already."""
    context: dict[str, Any] | None = {}
    for _ in range(MOST_LOOKS):
        submission = visible(request, public_id)
        context = _look(request, submission)
        if context is None:
            return HttpResponse(status=UNCHANGED)
        if _stands_still(submission):
            break
    return render(request, f"submissions/{'_live' if request.htmx else 'detail'}.html", context)


def _look(request: Visit, submission: Submission) -> dict[str, Any] | None:
    """All that the page shows; None where that is what the reader has."""
    counts = tally_runs(submission)
    forecast = forecast_of(submission, timezone.now())
    mark = _mark(submission, counts, forecast)
    if request.htmx and request.GET.get("seen") == mark:
        return None
    context = {**_context(request, submission), **_runs_context(request, submission, counts)}
    return context | {"mark": mark, "forecast": forecast}


def _stands_still(submission: Submission) -> bool:
    """Whether nothing has moved it while it was looked at: else the page would say one thing above, another below."""
    return Submission.objects.filter(pk=submission.pk, status=submission.status).exists()


def _context(request: Visit, submission: Submission) -> dict[str, Any]:
    is_member = Submission.objects.of_member(request.user).filter(pk=submission.pk).exists()
    is_insider = is_member or getattr(request.user, "may_maintain", False)
    bundle = getattr(submission, "bundle", None)
    context = {
        "submission": submission,
        "is_member": is_member,
        "is_insider": is_insider,
        "can_withdraw": is_member and can_withdraw(submission),
        "left_at": left_at(submission),
        "step": next_step(submission),
        "poll_s": poll_s(submission),
        "entry": getattr(submission, "entry", None),
        "bundle": bundle,
        "ignored": bundle.ignored[:LISTED_AT_MOST] if bundle and is_insider else [],
        "events": events_of(submission) if is_insider else [],
    }
    if is_insider and submission.status in UNGRADED:
        context |= {"outlook": outlook_of(submission), "left_out": left_out(bundle.ignored if bundle else ())}
    return context | (_upload_context(submission) if is_member else {})


def _runs_context(request: Visit, submission: Submission, counts: Counts) -> dict[str, Any]:
    """What is shown of the runs: a few seeds at a time, so that a large bundle costs no more than a small one."""
    seeds = Paginator(seed_labels(submission), SEEDS_PER_PAGE).get_page(request.GET.get("seeds"))
    return {
        "counts": counts,
        "seeds": seeds,
        "grid": grid(run_lines(submission, list(seeds.object_list))),
        "bad_runs": bad_runs(submission) if counts.bad else [],
    }


def _upload_context(submission: Submission) -> dict[str, Any]:
    if submission.status != Submission.Status.UPLOADING:
        return {}
    return {"form": FileForm(submission), "received": received_bytes(submission.upload), **upload_terms()}


def _mark(submission: Submission, counts: Counts, forecast: Forecast | None) -> str:
    """Changes whenever the live part would."""
    said = (
        submission.status,
        submission.held_at,
        submission.question_open_at,
        submission.team.organisation.verified_at,
        counts,
        forecast,
    )
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


@never_cache
@require_http_methods(["GET", "POST"])
def withdraw_page(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """What withdrawing means; posted, it is done."""
    submission = own(request, public_id)
    if not can_withdraw(submission):
        return _cannot(request, submission)
    if request.method != "POST":
        return render(request, "submissions/withdraw.html", {"submission": submission})
    try:
        withdraw(submission, request.user, timezone.now())
    except StatusConflict:
        return _cannot(request, submission)
    return redirect("submission", public_id)


def _cannot(request: Visit, submission: Submission) -> HttpResponse:
    if submission.status != Submission.Status.WITHDRAWN:
        messages.error(
            request, "It cannot be withdrawn at this stage. Wait for the next, or ask a maintainer."
        )
    return redirect("submission", submission.public_id)
