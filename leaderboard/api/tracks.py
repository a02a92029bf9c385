"""Tracks and benchmarks for programs."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.out.boards import BenchmarkOut, TrackOut
from leaderboard.api.public import PublicView
from leaderboard.boards import list_boards
from leaderboard.models import Track


class TrackList(PublicView):
    @extend_schema(responses=TrackOut(many=True))
    def get(self, request: Request) -> Response:
        """The tracks, strictest first, with the checks each asks for."""
        return Response(TrackOut(Track.objects.prefetch_related("shows_also"), many=True).data)


class BenchmarkList(PublicView):
    @extend_schema(responses=BenchmarkOut(many=True))
    def get(self, request: Request) -> Response:
        """The benchmark versions; the first is the one boards show if none is named."""
        return Response(BenchmarkOut(list_boards(), many=True).data)
