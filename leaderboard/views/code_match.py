"""Two files of code side by side, for maintainers."""

import uuid

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from leaderboard.code_similarity.shown import fragments_of
from leaderboard.integrity.sides import may_judge
from leaderboard.models import CodeMatch
from leaderboard.views.maintainers import for_maintainers
from submissions.views.shared import Visit


@for_maintainers
@require_safe
def code_match(request: Visit, submission: uuid.UUID, number: int) -> HttpResponse:
    """The fragments that two files share, the largest first. 404 for maintainers of the organisation concerned."""
    matches = CodeMatch.objects.select_related(
        "left__submission", "right__submission__team__organisation", "right__competition"
    ).defer("left__prints", "right__prints", "left__text", "right__text")
    match = get_object_or_404(matches, pk=number, left__submission__public_id=submission)
    looked_at = match.left.submission
    if looked_at is None or not may_judge(request.user, looked_at):
        raise Http404
    context = {"match": match, "fragments": fragments_of(match), "submission": looked_at}
    return render(request, "leaderboard/code_match.html", context)
