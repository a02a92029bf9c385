"""Decisions for programs: the public record, oldest links of the chain included."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api import examples
from leaderboard.api.entries import narrowed
from leaderboard.api.listed import DecisionLineOut
from leaderboard.api.lists import CURSOR, LIMIT, PublicList, format_parameter, known_only, one_of
from leaderboard.api.out.decisions import DECISION_RELATED
from leaderboard.api.public import PublicView
from leaderboard.api.schema import answers
from leaderboard.api.tables import Kind, columns
from leaderboard.entry_page import LATER
from leaderboard.models import Decision
from leaderboard.public import is_placed

FILTERS = {
    "entry": "entry__slug",
    "benchmark": "entry__benchmark__slug",
    "kind": "kind",
    "track": "track__slug",
}

# What a line shows of other tables than its own.
OF_OTHERS = (
    "entry__slug", "entry__agent__name", "entry__agent__organisation__name", "track__slug",
    "decided_by__public_name", "appeal__reason", "appeal__evidence_url", "appeal__evidence_is_private",
    "appeal__filed_at", "appeal__answer__kind",
)  # fmt: skip


class DecisionList(PublicList):
    serializer_class = DecisionLineOut
    queryset = Decision.objects.none()
    columns = columns(
        {
            Kind.WHOLE: "number entry supersedes superseded_by",
            Kind.FLAG: "effective_is_approximate",
            Kind.MOMENT: "effective_at recorded_at appeal_until",
        },
        "number kind entry slug agent organisation track reason rule evidence_url evidence_note candour details "
        "decided_by effective_at effective_is_approximate recorded_at supersedes superseded_by appeal_until appeal "
        "previous_hash hash url",
    )

    @extend_schema(
        parameters=[
            OpenApiParameter("entry", str, description="Slug of an entry."),
            OpenApiParameter("benchmark", str, description="Slug of a benchmark."),
            OpenApiParameter("kind", str, enum=Decision.Kind.values),
            OpenApiParameter("track", str, description="Slug of the track it placed its entry on."),
            LIMIT,
            CURSOR,
            format_parameter("json", "csv"),
        ],
        responses=answers(DecisionLineOut(many=True), "csv"),
        examples=[examples.DECISION],
    )
    def get(self, request: Request) -> Response:
        """Every decision about a public entry, newest first, with reason, rule, evidence and hash."""
        known_only(request, *FILTERS)
        one_of(request, "kind", Decision.Kind.values)
        return self.show(request, narrowed(_listed(), request, FILTERS))


class DecisionDetail(PublicView):
    @extend_schema(
        operation_id="decisions_retrieve",
        responses=answers(DecisionLineOut, errors=(404,)),
        examples=[examples.DECISION],
    )
    def get(self, request: Request, number: int) -> Response:
        """One decision by its number."""
        return Response(DecisionLineOut(get_object_or_404(public_decisions(), pk=number)).data)


def _listed() -> QuerySet[Any]:
    """The same with no more of other tables than a line shows."""
    return public_decisions().only(*(field.name for field in Decision._meta.concrete_fields), *OF_OTHERS)


def public_decisions() -> QuerySet[Any]:
    """Decisions about entries that anybody may see."""
    found = Decision.objects.filter(is_placed())
    related = ("entry__agent__organisation", *DECISION_RELATED)
    return found.select_related(*related).prefetch_related(LATER)
