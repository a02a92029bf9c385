"""Our results as a grading report in the benchmark's own format."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.public import PublicView
from leaderboard.models import EntryRun
from leaderboard.public import public_entries
from leaderboard.reports import report_of
from submissions.api.serializers import ErrorOut

SEED = OpenApiParameter(
    "seed", str, description="The label of one seed; without it all seeds, one after the other."
)


class GradingReport(PublicView):
    @extend_schema(parameters=[SEED], responses={200: OpenApiTypes.OBJECT, 404: OpenApiResponse(ErrorOut)})
    def get(self, request: Request, slug: str) -> Response:
        """The pinned gradings of an entry as the benchmark's own tools write and read them."""
        entry = get_object_or_404(public_entries(), slug=slug)
        seed = request.query_params.get("seed")
        try:
            report = report_of(entry, seed)
        except EntryRun.DoesNotExist:
            raise Http404("This entry has no run graded here, or none of this seed.") from None
        name = f"grading_report-{entry.slug}{f'-{_safe(seed)}' if seed else ''}.json"
        return Response(report, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _safe(label: str) -> str:
    return "".join(character if character.isascii() and character.isalnum() else "-" for character in label)
