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

from submissions.forms import FileForm
from submissions.life import events_of, left_at, next_step, poll_s
from submissions.models import Submission
from submissions.progress import Counts, count_runs, run_lines
from submissions.reading import with_people
from submissions.run_grid import bad_runs, grid
from submissions.states import StatusConflict
from submissions.uploads import received_bytes
from submissions.views.shared import Visit, own, visible
from submissions.views.upload import upload_terms
from submissions.withdraw import can_withdraw, withdraw

PER_PAGE = 50
UNCHANGED = 204


@login_required
@never_cache
@require_safe
def own_list(request: Visit) -> HttpResponse:
    """Those of the user's teams, newest first."""
    found = with_people(Submission.objects.of_member(request.user))
    shown = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "submissions/list.html", {"shown": shown, "submissions": shown.object_list})


@never_cache
@require_safe
def detail(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """The whole page, or for htmx its live part; 204 where that would be what it shows already."""
    submission = visible(request, public_id)
    context = _context(request, submission)
    if not request.htmx:
        return render(request, "submissions/detail.html", context)
    if request.GET.get("seen") == context["mark"]:
        return HttpResponse(status=UNCHANGED)
    return render(request, "submissions/_live.html", context)


def _context(request: Visit, submission: Submission) -> dict[str, Any]:
    is_member = Submission.objects.of_member(request.user).filter(pk=submission.pk).exists()
    is_insider = is_member or getattr(request.user, "may_maintain", False)
    lines = run_lines(submission)
    counts = count_runs(submission, lines)
    context = {
        "submission": submission,
        "is_member": is_member,
        "is_insider": is_insider,
        "can_withdraw": is_member and can_withdraw(submission),
        "left_at": left_at(submission),
        "step": next_step(submission),
        "poll_s": poll_s(submission),
        "mark": _mark(submission, counts),
        "counts": counts,
        "grid": grid(lines),
        "bad_runs": bad_runs(lines),
        "entry": getattr(submission, "entry", None),
        "bundle": getattr(submission, "bundle", None),
        "events": events_of(submission) if is_insider else [],
    }
    return context | (_upload_context(submission) if is_member else {})


def _upload_context(submission: Submission) -> dict[str, Any]:
    if submission.status != Submission.Status.UPLOADING:
        return {}
    return {"form": FileForm(submission), "received": received_bytes(submission.upload), **upload_terms()}


def _mark(submission: Submission, counts: Counts) -> str:
    """Changes whenever the live part would."""
    said = (submission.status, submission.held_at, submission.team.organisation.verified_at, counts)
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
