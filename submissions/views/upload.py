"""The upload page, and sending a bundle without JavaScript."""

import uuid

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from grading.rings import ring
from submissions.closing import current_closure
from submissions.forms import BundleForm, FileForm
from submissions.models import Submission, Team, Upload
from submissions.slicing import store_whole
from submissions.uploads import DIRECT_ONLY, UploadError, UploadRequest, begin_upload, is_direct
from submissions.views.shared import FormThrottle, Visit, own


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def new(request: Visit) -> HttpResponse:
    """The form; posted, a submission with its whole bundle."""
    if not Team.objects.of(request.user).exists():
        return render(request, "submissions/no_team.html")
    form = BundleForm(request.user, request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        if not FormThrottle("create").allow(request):
            return render(request, "429.html", status=429)
        try:
            return _receive_new(request, form)
        except UploadError as error:
            form.add_error("bundle", error.message)
    return render(request, "submissions/new.html", {"form": form, **upload_terms()})


def _receive_new(request: Visit, form: BundleForm) -> HttpResponse:
    if is_direct():  # Before anything is begun that this form cannot go on with.
        raise UploadError("direct_only", DIRECT_ONLY, status=409)
    given = form.cleaned_data
    file = given["bundle"]
    asked = UploadRequest(
        file.name, file.size, given["creation_key"], given["supersedes"], given["what_changed"]
    )
    submission = begin_upload(given["team"], given["benchmark"], request.user, asked, timezone.now())
    # The form sent twice finds the first one's submission, which may be past uploading already.
    if submission.status == Submission.Status.UPLOADING:
        _receive(request, submission.upload, file)
    return redirect("submission", submission.public_id)


def _receive(request: Visit, upload: Upload, file: UploadedFile) -> None:
    store_whole(upload, file.open("rb"), request.user, timezone.now())
    ring("submissions.tasks.check", str(upload.submission.public_id))


@never_cache
@require_POST
def resume(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """The rest of an upload that was begun before, in one piece."""
    submission = own(request, public_id)
    form = FileForm(submission, request.POST, request.FILES)
    if form.is_valid():
        try:
            _receive(request, submission.upload, form.cleaned_data["bundle"])
            return redirect("submission", public_id)
        except UploadError as error:
            form.add_error("bundle", error.message)
    return render(
        request, "submissions/resume.html", {"submission": submission, "form": form, **upload_terms()}
    )


def upload_terms() -> dict[str, object]:
    """What is said beside every upload button."""
    return {
        "retention_days": settings.BUNDLE_RETENTION.days,
        "max_bytes": settings.UPLOAD_MAX_BYTES,
        "closure": current_closure(),
        "is_direct": is_direct(),
    }
