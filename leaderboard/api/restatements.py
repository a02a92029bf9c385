"""Restatements for programs: every published figure that was changed, and every pin that was moved."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.entries import narrowed
from leaderboard.api.lists import CURSOR, LIMIT, FlatList, format_parameter, known_only, one_of
from leaderboard.api.out.common import NullableFloat, Out, PageField
from leaderboard.api.schema import answers
from leaderboard.api.tables import Kind, columns
from leaderboard.models import PinMove, Restatement
from leaderboard.public import is_placed

FILTERS = {"entry": "decision__entry__slug", "benchmark": "decision__entry__benchmark__slug"}
PARAMETERS = [
    OpenApiParameter("entry", str, description="Slug of an entry."),
    OpenApiParameter("benchmark", str, description="Slug of a benchmark."),
]
PAGING = [LIMIT, CURSOR, format_parameter("json", "csv")]


class ByDecisionOut(Out):
    """What both kinds of lines say of the decision behind them."""

    decision = serializers.IntegerField(source="decision_id", help_text="Number of the public decision.")
    entry = serializers.IntegerField(source="decision.entry_id", help_text="The entry's permanent number.")
    slug = serializers.CharField(source="decision.entry.slug")
    agent = serializers.CharField(source="decision.entry.agent.name")
    organisation = serializers.CharField(source="decision.entry.agent.organisation.name")
    benchmark = serializers.CharField(source="decision.entry.benchmark.slug")
    reason = serializers.CharField(source="decision.reason")
    effective_at = serializers.DateTimeField(source="decision.effective_at")
    recorded_at = serializers.DateTimeField(source="decision.recorded_at")
    url = PageField("decision", source="decision_id", help_text="The decision's page on this site.")


class RestatementOut(ByDecisionOut):
    """Output: one figure of an entry on one split, before and after."""

    split = serializers.CharField()
    figure = serializers.CharField(help_text="As in an entry's results, such as any_medal_mean.")
    before = NullableFloat(help_text="Percent; null where there was none.")
    after = NullableFloat(help_text="Percent; null where there is none.")


class PinMoveOut(ByDecisionOut):
    """Output: one run that was put on another grading or other thresholds, with its result before and after."""

    competition = serializers.CharField(source="run.competition_id")
    seed = serializers.CharField(source="run.seed")
    outcome_before = serializers.CharField()
    outcome_after = serializers.CharField()
    score_before = NullableFloat()
    score_after = NullableFloat()
    medal_before = serializers.CharField()
    medal_after = serializers.CharField()
    above_median_before = serializers.BooleanField()
    above_median_after = serializers.BooleanField()
    grader_before = serializers.CharField(source="grading_before.grader_version")
    grader_after = serializers.CharField(source="grading_after.grader_version")
    answers_before = serializers.IntegerField(
        source="grading_before.answers.number", default=None, allow_null=True
    )
    answers_after = serializers.IntegerField(
        source="grading_after.answers.number", default=None, allow_null=True
    )
    thresholds_before = serializers.IntegerField(
        source="thresholds_before.number", default=None, allow_null=True
    )
    thresholds_after = serializers.IntegerField(
        source="thresholds_after.number", default=None, allow_null=True
    )


DECISION = "decision entry slug agent organisation benchmark"
WHY = "reason effective_at recorded_at url"
KINDS: dict[Kind, str] = {
    Kind.WHOLE: "decision entry answers_before answers_after thresholds_before thresholds_after",
    Kind.NUMBER: "before after score_before score_after",
    Kind.FLAG: "above_median_before above_median_after",
    Kind.MOMENT: "effective_at recorded_at",
}


class RestatementList(FlatList):
    serializer_class = RestatementOut
    queryset = Restatement.objects.none()
    columns = columns(KINDS, f"{DECISION} split figure before after {WHY}")
    filters: ClassVar[dict[str, str]] = {**FILTERS, "split": "split", "figure": "figure"}

    @extend_schema(
        parameters=[
            *PARAMETERS,
            OpenApiParameter("split", str, description="low, medium, high, all or dev."),
            OpenApiParameter("figure", str, enum=Restatement.Figure.values),
            *PAGING,
        ],
        responses=answers(RestatementOut(many=True), "csv"),
    )
    def get(self, request: Request) -> Response:
        """Every published figure that was changed: before, after, why, and by which decision; newest first."""
        known_only(request, *self.filters)
        one_of(request, "figure", Restatement.Figure.values)
        return self.show(request, narrowed(_public(Restatement.objects.all()), request, self.filters))


class PinMoveList(FlatList):
    serializer_class = PinMoveOut
    queryset = PinMove.objects.none()
    columns = columns(
        KINDS,
        f"{DECISION} competition seed outcome_before outcome_after score_before score_after medal_before "
        "medal_after above_median_before above_median_after grader_before grader_after answers_before "
        f"answers_after thresholds_before thresholds_after {WHY}",
    )
    filters: ClassVar[dict[str, str]] = {
        **FILTERS,
        "competition": "run__competition",
        "seed": "run__seed",
    }

    @extend_schema(
        parameters=[
            *PARAMETERS,
            OpenApiParameter("competition", str, description="Id of a competition."),
            OpenApiParameter("seed", str, description="Label of a seed."),
            *PAGING,
        ],
        responses=answers(PinMoveOut(many=True), "csv"),
    )
    def get(self, request: Request) -> Response:
        """Every run that was put on another grading or other thresholds, also where its result stayed; newest first."""
        known_only(request, *self.filters)
        return self.show(request, narrowed(_public(PinMove.objects.all()), request, self.filters))


def _public(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those of entries that anybody may see; asked of each row, so that the newest are found without the others."""
    return rows.filter(is_placed("decision__entry")).exclude(decision__effect="")
