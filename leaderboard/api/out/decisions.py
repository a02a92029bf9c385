"""Decisions and their evidence, field by field."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from leaderboard.api.out.common import Out
from leaderboard.integrity.appeals import EFFECTS, closes_at
from leaderboard.integrity.candour import candour_said
from leaderboard.public_evidence import evidence_link, evidence_note

# What DecisionOut shows of other tables.
DECISION_RELATED = ("track", "decided_by", "appeal__answer")


class EvidenceOut(Out):
    """Output: where the evidence of a public record is, unless it is private."""

    evidence_url = serializers.SerializerMethodField(help_text="Empty where the evidence is private.")
    evidence_note = serializers.SerializerMethodField(help_text="Who sees the evidence, where it is private.")

    def get_evidence_url(self, record: Any) -> str:
        return evidence_link(record)

    def get_evidence_note(self, record: Any) -> str:
        return evidence_note(record)


class AppealOut(EvidenceOut):
    """Output: what the team said against a decision, and what became of it."""

    state = serializers.CharField(help_text="open, granted or denied.")
    reason = serializers.CharField()
    filed_at = serializers.DateTimeField()
    due_at = serializers.DateTimeField(help_text="When an answer is due.")
    answer = serializers.IntegerField(
        source="answer_id", allow_null=True, help_text="Number of the decision that answers it."
    )


class DecisionOut(EvidenceOut):
    """Output: a public decision."""

    number = serializers.IntegerField(source="pk")
    kind = serializers.CharField()
    track = serializers.CharField(source="track.slug", allow_null=True, default=None)
    reason = serializers.CharField()
    rule = serializers.CharField()
    candour = serializers.SerializerMethodField(
        help_text="self-reported, undisclosed (the run card left the question open), or empty."
    )
    details = serializers.JSONField(help_text="What it is about beside the entry, such as a flag or masks.")
    decided_by = serializers.CharField(
        source="decided_by.public_name",
        allow_null=True,
        default=None,
        help_text="Null: decided elsewhere, imported.",
    )
    effective_at = serializers.DateTimeField()
    effective_is_approximate = serializers.BooleanField()
    recorded_at = serializers.DateTimeField()
    supersedes = serializers.IntegerField(source="supersedes_id", allow_null=True)
    superseded_by = serializers.IntegerField(source="superseded_by.pk", allow_null=True, default=None)
    appeal_until = serializers.SerializerMethodField(help_text="Null: of a kind that cannot be appealed.")
    appeal = AppealOut(allow_null=True, default=None, help_text="The team's appeal, if there is one.")
    previous_hash = serializers.CharField(
        help_text="The hash of the decision before it; empty for the first."
    )
    hash = serializers.CharField()

    def get_candour(self, decision: Any) -> str:
        return candour_said(decision.is_self_reported, decision.details).value

    def get_appeal_until(self, decision: Any) -> datetime | None:
        return closes_at(decision) if decision.kind in EFFECTS else None
