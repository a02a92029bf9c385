"""Entries for programs. Only published ones exist here."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from knox.auth import TokenAuthentication
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api import serializers
from leaderboard.api.public import PublicView
from leaderboard.models import Entry
from leaderboard.public import public_entries
from leaderboard.standings import current_placement
from submissions.api.serializers import ErrorOut


class EntryList(ListAPIView[Entry]):
    """Every published entry, newest number first; the withdrawn stay listed."""

    authentication_classes = [TokenAuthentication]
    permission_classes = [AllowAny]
    serializer_class = serializers.EntryOut
    queryset = Entry.objects.none()  # For the schema: what is public depends on the moment of the request.

    def get_queryset(self) -> QuerySet[Entry]:
        return public_entries().order_by("-pk")


class EntryDetail(PublicView):
    @extend_schema(responses={200: serializers.EntryDetailOut, 404: OpenApiResponse(ErrorOut)})
    def get(self, request: Request, slug: str) -> Response:
        """One entry with its figures, runs, claims, run card and decisions."""
        found = get_object_or_404(public_entries(), slug=slug)
        return Response(serializers.EntryDetailOut(show_entry(found)).data)


def show_entry(entry: Any) -> dict[str, Any]:
    """The entry as EntryDetailOut names it."""
    placement = None if entry.is_withdrawn else current_placement(entry, timezone.now())
    submission = entry.submission
    card = submission.confirmed_revision if submission else None
    return {
        **{
            name: getattr(entry, name)
            for name in ("pk", "slug", "agent", "benchmark", "scope", "source", "run_on")
        },
        "is_withdrawn": entry.is_withdrawn,
        "track": placement.track.slug if placement else None,
        "results": entry.results.order_by("split"),
        "runs": entry.runs.all(),
        "claims": submission.claims.all() if submission else [],
        "decisions": entry.decisions.select_related("track", "decided_by"),
        "run_card": card.document if card else None,
    }
