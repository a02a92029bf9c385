"""Closing submissions for a while, and opening them again."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from grading.rings import ring
from leaderboard.views.case_forms import ClosingForm
from leaderboard.views.maintainers import for_maintainers
from submissions.closing import (
    ClosingRefused,
    close_submissions,
    count_held,
    current_closure,
    open_submissions,
)
from submissions.models import Closure
from submissions.views.shared import Visit

SHOWN = 20


@for_maintainers
@require_http_methods(["GET", "POST"])
def closing(request: Visit) -> HttpResponse:
    """Closes submissions or opens them: `action` says which, so that a page grown old does not do the other."""
    form = ClosingForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            messages.success(request, _do(request, form.cleaned_data["reason"]))
            return redirect("closing")
        except ClosingRefused as refused:
            form.add_error(None, str(refused))
    context = {
        "form": form,
        "closure": current_closure(),
        "held": count_held(),
        "earlier": Closure.objects.filter(is_current=False).select_related("closed_by", "opened_by")[:SHOWN],
    }
    return render(request, "leaderboard/closing.html", context, status=422 if form.errors else 200)


def _do(request: Visit, reason: str) -> str:
    now = timezone.now()
    if request.POST.get("action") == "close":
        close_submissions(request.user, reason, now)
        return (
            "Submissions are closed. Bundles still arrive; nothing that is confirmed from now on is graded."
        )
    released = open_submissions(request.user, reason, now)
    for public_id in released:
        ring("submissions.tasks.advance", str(public_id))
    return f"Submissions are open. {len(released)} that were held go on, in the order in which they came."
