"""Gradings for programs: every run of every published entry, with the versions its score comes from."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from grading.medals import Medal
from leaderboard.api import examples
from leaderboard.api.entries import narrowed
from leaderboard.api.listed import GradingOut
from leaderboard.api.lists import CURSOR, LIMIT, ParquetList, format_parameter, known_only, one_of
from leaderboard.api.schema import answers
from leaderboard.api.tables import Kind, columns
from leaderboard.models import EntryRun
from leaderboard.public import is_placed

FILTERS = {
    "entry": "entry__slug",
    "benchmark": "entry__benchmark__slug",
    "competition": "competition",
    "split": "split",
    "seed": "seed",
    "outcome": "outcome",
    "medal": "medal",
}
MEDALS = [medal.value for medal in Medal]


class GradingList(ParquetList):
    serializer_class = GradingOut
    queryset = EntryRun.objects.none()
    columns = columns(
        {
            Kind.WHOLE: "entry answers_version thresholds_version masked_by",
            Kind.NUMBER: "score",
            Kind.FLAG: "above_median near_cutoff",
            Kind.MOMENT: "graded_at",
        },
        "entry slug benchmark competition split seed outcome code message missing_reason score medal above_median "
        "near_cutoff masked_by grader_version answers_version thresholds_version graded_at",
    )

    @extend_schema(
        parameters=[
            OpenApiParameter("entry", str, description="Slug of an entry."),
            OpenApiParameter("benchmark", str, description="Slug of a benchmark."),
            OpenApiParameter("competition", str, description="Id of a competition."),
            OpenApiParameter("split", str, description="Of the competition: low, medium, high or dev."),
            OpenApiParameter("seed", str, description="Label of a seed."),
            OpenApiParameter("outcome", str, enum=EntryRun.Outcome.values),
            OpenApiParameter("medal", str, enum=MEDALS),
            LIMIT,
            CURSOR,
            format_parameter("json", "csv", "parquet"),
        ],
        responses=answers(GradingOut(many=True), "csv", "parquet"),
        examples=[examples.GRADING],
    )
    def get(self, request: Request) -> Response:
        """The runs of published entries with outcome, score and medal, newest entry first; missing runs included."""
        known_only(request, *FILTERS)
        one_of(request, "outcome", EntryRun.Outcome.values)
        one_of(request, "medal", MEDALS)
        return self.show(request, narrowed(_public_runs(), request, FILTERS))


def _public_runs() -> QuerySet[Any]:
    return EntryRun.objects.filter(is_placed())
