"""Competitions for programs."""

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api import serializers
from leaderboard.api.public import PublicView
from leaderboard.competition_facts import find_competition, list_competitions
from submissions.api.serializers import ErrorOut

FILTERS = ("benchmark", "split", "category")


class CompetitionList(PublicView):
    @extend_schema(
        operation_id="competitions_list",
        parameters=[OpenApiParameter(name, str) for name in FILTERS],
        responses=serializers.CompetitionOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """Every competition of the catalogue, or those of a benchmark, split or category."""
        wanted = {name: request.GET.get(name, "") for name in FILTERS}
        return Response(serializers.CompetitionOut(list_competitions(**wanted), many=True).data)


class CompetitionDetail(PublicView):
    @extend_schema(responses={200: serializers.CompetitionDetailOut, 404: OpenApiResponse(ErrorOut)})
    def get(self, request: Request, competition_id: str) -> Response:
        """One competition with its validity rules, cut-offs and known issues."""
        facts = find_competition(competition_id)
        if facts is None:
            raise Http404
        return Response(serializers.CompetitionDetailOut(facts).data)
