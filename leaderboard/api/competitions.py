"""Competitions for programs."""

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.lists import format_parameter
from leaderboard.api.out.competitions import CompetitionDetailOut, CompetitionOut
from leaderboard.api.public import PublicView
from leaderboard.api.renderers import CSVRenderer
from leaderboard.api.schema import answers
from leaderboard.api.tables import Kind, Table, TableColumn, columns, put_table
from leaderboard.competition_facts import find_competition, list_competitions
from submissions.api.serializers import ErrorOut

FILTERS = ("benchmark", "split", "category")


def _cutoff(name: str) -> TableColumn:
    return TableColumn(name, Kind.NUMBER, lambda row: (row["thresholds"] or {}).get(name), "thresholds")


COLUMNS = [
    *columns(
        {Kind.FLAG: "lower_is_better has_grader has_answers"},
        "id title category metric lower_is_better has_grader has_answers",
    ),
    *(_cutoff(name) for name in ("gold", "silver", "bronze", "median")),
]


class CompetitionList(PublicView):
    renderer_classes = [JSONRenderer, CSVRenderer]

    @extend_schema(
        operation_id="competitions_list",
        parameters=[*(OpenApiParameter(name, str) for name in FILTERS), format_parameter("json", "csv")],
        responses=answers(CompetitionOut(many=True), "csv"),
    )
    def get(self, request: Request) -> Response:
        """Every competition of the catalogue, or those of a benchmark, split or category."""
        wanted = {name: request.GET.get(name, "").replace("\0", "") for name in FILTERS}
        lines = CompetitionOut(list_competitions(**wanted), many=True).data
        response = Response(lines)
        put_table(response, Table(COLUMNS, list(lines)))
        return response


class CompetitionDetail(PublicView):
    @extend_schema(responses={200: CompetitionDetailOut, 404: OpenApiResponse(ErrorOut)})
    def get(self, request: Request, competition_id: str) -> Response:
        """One competition with its validity rules, cut-offs and known issues."""
        facts = find_competition(competition_id)
        if facts is None:
            raise Http404
        return Response(CompetitionDetailOut(facts).data)
