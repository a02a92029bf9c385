"""Agents and organisations for programs: those with published entries."""

from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, QuerySet
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
from leaderboard.models import Agent
from leaderboard.public import public_entries
from submissions.models import Organisation

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


class AgentDetail(PublicView):
    @extend_schema(operation_id="agents_retrieve", responses=answers(AgentOut, errors=(404,)))
    def get(self, request: Request, slug: str) -> Response:
        """One agent with its entries."""
        return Response(AgentOut(get_object_or_404(public_agents(), slug=slug)).data)


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
    """Agents with a published entry; their entries in `published`. Two queries."""
    entries = public_entries().order_by("run_on", "pk")
    found = Agent.objects.filter(Exists(entries.filter(agent=OuterRef("pk"))))
    return found.select_related("organisation").prefetch_related(
        Prefetch("entries", entries, to_attr="published")
    )


def public_organisations() -> QuerySet[Any]:
    """Organisations with a published entry; their agents that have one in `published`. Two queries."""
    entries = public_entries().order_by()
    agents = Agent.objects.filter(Exists(entries.filter(agent=OuterRef("pk")))).order_by("slug")
    found = Organisation.objects.filter(Exists(entries.filter(agent__organisation=OuterRef("pk"))))
    return found.prefetch_related(Prefetch("agents", agents, to_attr="published"))
