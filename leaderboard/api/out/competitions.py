"""Competitions, field by field."""

from rest_framework import serializers

from leaderboard.api.out.common import Out


class ThresholdsOut(Out):
    version = serializers.IntegerField(source="number")
    gold = serializers.FloatField()
    silver = serializers.FloatField()
    bronze = serializers.FloatField()
    median = serializers.FloatField()
    exact = serializers.BooleanField(help_text="False: from a table rounded to 5 decimals.")
    source = serializers.CharField()  # type: ignore[assignment]


class BelongsOut(Out):
    benchmark = serializers.CharField()
    split = serializers.CharField()


class KnownIssueOut(Out):
    kind = serializers.CharField()
    summary = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]


class CompetitionOut(Out):
    """Output: a competition in a list."""

    id = serializers.CharField(source="competition.pk")
    title = serializers.CharField(source="competition.title")
    category = serializers.CharField(source="competition.category")
    metric = serializers.CharField(source="competition.metric")
    lower_is_better = serializers.BooleanField(source="competition.lower_is_better")
    benchmarks = BelongsOut(many=True, source="belongs")
    thresholds = ThresholdsOut(allow_null=True)
    has_grader = serializers.BooleanField()
    has_answers = serializers.BooleanField(help_text="Whether its answers are loaded on a grading host.")


class CompetitionDetailOut(CompetitionOut):
    """Output: a competition with its rules and known issues."""

    closed_on = serializers.DateField(source="competition.closed_on", allow_null=True)
    kaggle_url = serializers.CharField(source="competition.kaggle_url", allow_blank=True)
    validity = serializers.ListField(source="competition.validity", child=serializers.CharField())
    known_issues = KnownIssueOut(many=True, source="competition.known_issues")
