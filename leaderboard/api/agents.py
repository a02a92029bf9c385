"""Agents and organisations for programs: those with published entries."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.entries import narrowed
from leaderboard.api.listed import AgentOut, OrganisationOut
from leaderboard.api.lists import CURSOR, LIMIT, PublicList, format_parameter, known_only
from leaderboard.api.public import PublicView
from leaderboard.api.schema import answers
from leaderboard.api.tables import Kind, columns
from leaderboard.models import Agent, Entry
from leaderboard.public import has_public_entries, is_placed
from submissions.models import Organisation
from submissions.paging import rows_of

FILTERS = {"organisation": "organisation__slug"}


class AgentList(PublicList):
    serializer_class = AgentOut
    queryset = Agent.objects.none()
    order = ("slug",)
    columns = columns({}, "slug name organisation organisation_slug entries")

    @extend_schema(
        parameters=[
            OpenApiParameter("organisation", str, description="Slug of an organisation."),
            LIMIT,
            CURSOR,
            format_parameter("json", "csv"),
        ],
        responses=answers(AgentOut(many=True), "csv"),
    )
    def get(self, request: Request) -> Response:
        """Every agent that has a published entry, by slug."""
        known_only(request, *FILTERS)
        return self.show(request, narrowed(public_agents(), request, FILTERS))

    def print_lines(self, found: QuerySet[Any], keys: Sequence[Any]) -> Sequence[Any]:
        lines: Any = AgentOut(with_entries(rows_of(found, keys)), many=True).data
        return list(lines)


class AgentDetail(PublicView):
    @extend_schema(operation_id="agents_retrieve", responses=answers(AgentOut, errors=(404,)))
    def get(self, request: Request, slug: str) -> Response:
        """One agent with its entries."""
        return Response(AgentOut(with_entries([get_object_or_404(public_agents(), slug=slug)])[0]).data)


class OrganisationList(PublicList):
    serializer_class = OrganisationOut
    queryset = Organisation.objects.none()
    order = ("slug",)
    columns = columns({Kind.FLAG: "verified"}, "slug name verified agents")

    @extend_schema(
        parameters=[LIMIT, CURSOR, format_parameter("json", "csv")],
        responses=answers(OrganisationOut(many=True), "csv"),
    )
    def get(self, request: Request) -> Response:
        """Every organisation that has a published entry, by slug."""
        known_only(request)
        return self.show(request, public_organisations())


class OrganisationDetail(PublicView):
    @extend_schema(operation_id="organisations_retrieve", responses=answers(OrganisationOut, errors=(404,)))
    def get(self, request: Request, slug: str) -> Response:
        """One organisation with its agents."""
        return Response(OrganisationOut(get_object_or_404(public_organisations(), slug=slug)).data)


def public_agents() -> QuerySet[Any]:
    """Agents with a published entry."""
    return Agent.objects.filter(has_public_entries("agent")).select_related("organisation")


def with_entries(agents: Sequence[Any]) -> Sequence[Any]:
    """The same agents, each with the slugs of its published entries in `published`. One query."""
    entries = Entry.objects.filter(is_placed("pk"), agent__in=[agent.pk for agent in agents])
    slugs: dict[int, list[str]] = defaultdict(list)
    for agent, slug in entries.order_by("run_on", "pk").values_list("agent", "slug"):
        slugs[agent].append(slug)
    for agent in agents:
        agent.published = slugs[agent.pk]
    return agents


def public_organisations() -> QuerySet[Any]:
    """Organisations with a published entry; their agents that have one in `published`. Two queries."""
    agents = Agent.objects.filter(has_public_entries("agent")).order_by("slug")
    found = Organisation.objects.filter(has_public_entries("agent__organisation"))
    return found.prefetch_related(Prefetch("agents", agents, to_attr="published"))
