"""Entries for programs. Only published ones exist here."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api import examples
from leaderboard.api.lists import CURSOR, LIMIT, FlatList, format_parameter, known_only, one_of
from leaderboard.api.out.decisions import DECISION_RELATED
from leaderboard.api.out.entries import EntryDetailOut, EntryOut
from leaderboard.api.public import PublicView
from leaderboard.api.schema import answers
from leaderboard.api.tables import Kind, columns
from leaderboard.entry_page import LATER
from leaderboard.entry_record import record_of
from leaderboard.entry_statistics import show_standings
from leaderboard.masks import masks_of, show_masks
from leaderboard.models import Entry
from leaderboard.public import public_entries
from leaderboard.run_ledger import ledger_of
from leaderboard.standings import current_placement
from leaderboard.time_scaling import course_of
from submissions.api.serializers import ErrorOut

FILTERS = {
    "benchmark": "benchmark__slug",
    "agent": "agent__slug",
    "organisation": "agent__organisation__slug",
    "source": "source",
}
WORDS = [
    OpenApiParameter("benchmark", str, description="Slug of a benchmark."),
    OpenApiParameter("agent", str, description="Slug of an agent."),
    OpenApiParameter("organisation", str, description="Slug of an organisation."),
    OpenApiParameter("source", str, enum=Entry.Source.values),
]


class EntryList(FlatList):
    """Every published entry, newest number first; the withdrawn stay listed."""

    serializer_class = EntryOut
    queryset = Entry.objects.none()  # For the schema: what is public depends on the moment of the request.
    columns = columns(
        {Kind.WHOLE: "entry", Kind.DAY: "run_on", Kind.FLAG: "withdrawn"},
        "entry slug url agent organisation benchmark scope source run_on withdrawn",
    )

    @extend_schema(
        parameters=[*WORDS, LIMIT, CURSOR, format_parameter("json", "csv")],
        responses=answers(EntryOut(many=True), "csv"),
        examples=[examples.ENTRY],
    )
    def get(self, request: Request) -> Response:
        """Every published entry, newest number first; the withdrawn stay listed."""
        known_only(request, *FILTERS)
        one_of(request, "source", Entry.Source.values)
        return self.show(request, narrowed(public_entries(), request, FILTERS))


def narrowed(found: QuerySet[Any], request: Request, filters: dict[str, str]) -> QuerySet[Any]:
    """Those whose columns equal what the query says. `filters`: word to column."""
    wanted = {column: request.query_params.get(word, "") for word, column in filters.items()}
    # No slug, id or label holds this character, and PostgreSQL takes it for nothing.
    return found.filter(
        **{column: value.replace("\0", "\ufffd") for column, value in wanted.items() if value}
    )


class EntryDetail(PublicView):
    @extend_schema(
        responses={200: EntryDetailOut, 404: OpenApiResponse(ErrorOut)},
        examples=[examples.ENTRY_STANDINGS],
    )
    def get(self, request: Request, slug: str) -> Response:
        """One entry with its figures and how sure they are, runs, claims, run card and decisions."""
        found = get_object_or_404(public_entries(), slug=slug)
        return Response(EntryDetailOut(show_entry(found)).data)


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
        "standings": show_standings(entry, placement),
        "results": entry.results.order_by("split"),
        "runs": entry.runs.all(),
        "checkpoints": [each for each in course_of(entry).tried if not each.is_end],
        "masks": show_masks(masks_of(entry)),
        "claims": submission.claims.all() if submission else [],
        "decisions": entry.decisions.select_related(*DECISION_RELATED).prefetch_related(LATER),
        "earlier": ledger_of(entry),
        "run_card": card.document if card else None,
        "record": record_of(entry),
    }
