"""The validity check for people: send one file, and follow what is found."""

import uuid

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from grading.late_rules import late_rules
from grading.models import Competition
from grading.rings import ring
from submissions.models import ValidityCheck
from submissions.uploads import UploadError
from submissions.validity.request import begin_check, require_checkable, size_limit
from submissions.views.shared import FormThrottle, Visit

POLL_S = 1
LISTED = 10
UNCHANGED = 204


class FileForm(forms.Form):
    """One predictions file."""

    file = forms.FileField(allow_empty_file=True, label="Predictions")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def new(request: Visit, competition_id: str) -> HttpResponse:
    """The form, and the person's latest checks on this competition; posted, a new check."""
    competition = get_object_or_404(Competition, pk=competition_id)
    if request.method != "POST":
        return _form_page(request, competition, FileForm())
    throttle = FormThrottle("validity")
    if not throttle.allow(request):
        return _wait_page(request, throttle.wait())
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(request, competition, form, status=422)
    return _receive(request, competition, form)


def _receive(request: Visit, competition: Competition, form: FileForm) -> HttpResponse:
    file: UploadedFile = form.cleaned_data["file"]
    try:
        check = begin_check(request.user, competition, file, timezone.now())
    except UploadError as refused:
        form.add_error("file", refused.message)
        return _form_page(request, competition, form, status=refused.status)
    ring("submissions.validity.tasks.check", str(check.public_id))
    return redirect("validity-check", check.public_id)


def _wait_page(request: Visit, wait_s: float | None) -> HttpResponse:
    seconds = max(1, round(wait_s or 60))
    response = render(request, "429.html", {"retry_after_s": seconds}, status=429)
    response["Retry-After"] = str(seconds)
    return response


def _form_page(request: Visit, competition: Competition, form: FileForm, status: int = 200) -> HttpResponse:
    latest = ValidityCheck.objects.of(request.user).filter(competition=competition)[:LISTED]
    context = {
        "competition": competition,
        "form": form,
        "closed": _why_closed(competition),
        "max_bytes": size_limit(competition.pk),
        "late_rules": late_rules(competition.pk, competition.metric_family),
        "latest": latest,
        "kept_days": settings.VALIDITY_RETENTION.days,
    }
    return render(request, "submissions/validity_new.html", context, status=status)


def _why_closed(competition: Competition) -> str:
    """Why nothing can be checked for this competition now, or nothing."""
    try:
        require_checkable(competition)
    except UploadError as refused:
        return refused.message
    return ""


@never_cache
@require_safe
def detail(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """The whole page, or for htmx its live part; 204 where that would be what it shows already."""
    own = ValidityCheck.objects.of(request.user).select_related("competition", "answers")
    check = get_object_or_404(own, public_id=public_id)
    if request.htmx and request.GET.get("seen") == check.state:
        return HttpResponse(status=UNCHANGED)
    context = {
        "check": check,
        "poll_s": 0 if check.is_done else POLL_S,
        "late_rules": late_rules(check.competition.pk, check.competition.metric_family),
        "kept_days": settings.VALIDITY_RETENTION.days,
    }
    return render(request, f"submissions/{'_validity_live' if request.htmx else 'validity'}.html", context)
