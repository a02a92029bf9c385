"""What the lists give, line by line: gradings, decisions, agents, organisations, snapshots."""

from typing import Any

from rest_framework import serializers

from leaderboard.api.out.common import MASKED_BY, NullableFloat, Out, PageField
from leaderboard.api.out.decisions import DecisionOut


class GradingOut(Out):
    """Output: one run of a published entry, with the grading that its figures stand on and the versions behind it."""

    entry = serializers.IntegerField(source="entry_id", help_text="The entry's permanent number.")
    slug = serializers.CharField(source="entry.slug")
    benchmark = serializers.CharField(source="entry.benchmark.slug")
    competition = serializers.CharField(source="competition_id")
    split = serializers.CharField()
    seed = serializers.CharField()
    outcome = serializers.CharField()
    code = serializers.CharField(source="grading.code", default="", help_text="Why it has no score, if so.")
    message = serializers.CharField(allow_blank=True)
    missing_reason = serializers.CharField(allow_blank=True)
    score = NullableFloat()
    medal = serializers.CharField()
    above_median = serializers.BooleanField()
    near_cutoff = serializers.BooleanField()
    masked_by = serializers.IntegerField(source="masked_by_id", allow_null=True, help_text=MASKED_BY)
    grader_version = serializers.CharField(source="grading.grader_version", default=None, allow_null=True)
    answers_version = serializers.IntegerField(source="grading.answers.number", default=None, allow_null=True)
    thresholds_version = serializers.IntegerField(source="thresholds.number", default=None, allow_null=True)
    graded_at = serializers.DateTimeField(source="grading.graded_at", default=None, allow_null=True)


class DecisionLineOut(DecisionOut):
    """Output: a public decision and the entry it is about."""

    entry = serializers.IntegerField(source="entry_id")
    slug = serializers.CharField(source="entry.slug")
    agent = serializers.CharField(source="entry.agent.name")
    organisation = serializers.CharField(source="entry.agent.organisation.name")
    url = PageField("decision", source="pk", help_text="The decision's page on this site.")


class AgentOut(Out):
    """Output: a scaffold with published entries."""

    slug = serializers.CharField()
    name = serializers.CharField()
    organisation = serializers.CharField(source="organisation.name")
    organisation_slug = serializers.CharField(source="organisation.slug")
    entries = serializers.ListField(
        child=serializers.CharField(),
        source="published",
        help_text="Slugs of its published entries, oldest run first.",
    )


class OrganisationOut(Out):
    """Output: an organisation with published entries."""

    slug = serializers.CharField()
    name = serializers.CharField()
    verified = serializers.BooleanField(source="is_verified", help_text="A maintainer has verified it.")
    agents = serializers.SerializerMethodField(help_text="Slugs of its agents that have published entries.")

    def get_agents(self, organisation: Any) -> list[str]:
        return [agent.slug for agent in organisation.published]


class SnapshotOut(Out):
    """Output: one state of a benchmark's boards."""

    id = serializers.IntegerField(source="pk")
    benchmark = serializers.CharField(source="benchmark.slug")
    built_at = serializers.DateTimeField()
    digest = serializers.CharField(help_text="SHA-256 over everything its boards showed.")
    grader_version = serializers.CharField()
    is_current = serializers.BooleanField()
    has_rows = serializers.BooleanField(help_text="Whether its rows are still kept.")
    url = PageField("snapshot", source="pk", help_text="Its page on this site.")
