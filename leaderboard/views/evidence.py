"""What was found in the logs and code of a submission: one page, for maintainers and the team that handed it in."""

import uuid

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from leaderboard.evidence.shown import evidence_of, may_see
from leaderboard.models import Claim
from submissions.views.shared import Visit, visible


@never_cache
@require_safe
def evidence(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """404 for everybody else, also once the entry is published."""
    submission = visible(request, public_id)
    if not may_see(request.user, submission):
        raise Http404
    context = {
        "submission": submission,
        "entry": getattr(submission, "entry", None),
        "evidence": evidence_of(submission),
        "contradicted": submission.claims.filter(state=Claim.State.CONTRADICTED),
        "is_maintainer": request.user.is_authenticated and request.user.may_maintain,
    }
    return render(request, "leaderboard/evidence.html", context)
