"""Tracks and benchmarks for programs."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api import serializers
from leaderboard.api.public import PublicView
from leaderboard.boards import list_boards
from leaderboard.models import Track


class TrackList(PublicView):
    @extend_schema(responses=serializers.TrackOut(many=True))
    def get(self, request: Request) -> Response:
        """The tracks, strictest first, with the checks each asks for."""
        return Response(serializers.TrackOut(Track.objects.prefetch_related("shows_also"), many=True).data)


class BenchmarkList(PublicView):
    @extend_schema(responses=serializers.BenchmarkOut(many=True))
    def get(self, request: Request) -> Response:
        """The benchmark versions; the first is the one boards show if none is named."""
        return Response(serializers.BenchmarkOut(list_boards(), many=True).data)
