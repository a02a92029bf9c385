"""Flags for programs: those that anybody may see."""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.entries import narrowed
from leaderboard.api.lists import CURSOR, LIMIT, PublicList, format_parameter, known_only, one_of
from leaderboard.api.out.common import Out, PageField
from leaderboard.api.out.decisions import EvidenceOut
from leaderboard.api.public import PublicView
from leaderboard.api.schema import answers
from leaderboard.api.tables import Kind, columns
from leaderboard.flag_page import list_flags, public_flags
from leaderboard.models import Flag

FILTERS = {"entry": "entry__slug", "benchmark": "entry__benchmark__slug", "state": "state"}


class ReplyOut(Out):
    text = serializers.CharField()
    written_at = serializers.DateTimeField()


class FlagOut(EvidenceOut):
    """Output: a doubt about an entry, what its team replied, and the decision that answered it."""

    number = serializers.IntegerField(source="pk")
    entry = serializers.IntegerField(source="entry_id")
    slug = serializers.CharField(source="entry.slug")
    agent = serializers.CharField(source="entry.agent.name")
    state = serializers.CharField(help_text="open, upheld or dismissed.")
    reason = serializers.CharField()
    rule = serializers.CharField()
    is_self_reported = serializers.BooleanField(help_text="The entry's own team raised it.")
    competitions = serializers.ListField(
        child=serializers.CharField(), help_text="Those it is about; empty: the entry as a whole."
    )
    raised_at = serializers.DateTimeField()
    decision = serializers.IntegerField(
        source="decision_id", allow_null=True, help_text="Number of the decision that answered it."
    )
    replies = ReplyOut(many=True, source="said", help_text="The team's, oldest first.")
    url = PageField("flag", source="pk", help_text="The flag's page on this site.")


class FlagList(PublicList):
    serializer_class = FlagOut
    queryset = Flag.objects.none()
    columns = columns(
        {Kind.WHOLE: "number entry decision", Kind.FLAG: "is_self_reported", Kind.MOMENT: "raised_at"},
        "number entry slug agent state reason rule evidence_url evidence_note is_self_reported competitions "
        "raised_at decision replies url",
    )

    @extend_schema(
        parameters=[
            OpenApiParameter("entry", str, description="Slug of an entry."),
            OpenApiParameter("benchmark", str, description="Slug of a benchmark."),
            OpenApiParameter("state", str, enum=Flag.State.values),
            LIMIT,
            CURSOR,
            format_parameter("json", "csv"),
        ],
        responses=answers(FlagOut(many=True), "csv"),
    )
    def get(self, request: Request) -> Response:
        """Every flag that was answered, or that is older than 14 days; newest first, with the team's replies."""
        known_only(request, *FILTERS)
        one_of(request, "state", Flag.State.values)
        return self.show(request, narrowed(list_flags(public_flags(timezone.now())), request, FILTERS))


class FlagDetail(PublicView):
    @extend_schema(operation_id="flags_retrieve", responses=answers(FlagOut, errors=(404,)))
    def get(self, request: Request, number: int) -> Response:
        """One flag by its number, once anybody may see it."""
        return Response(FlagOut(get_object_or_404(public_flags(timezone.now()), pk=number)).data)
