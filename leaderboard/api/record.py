"""What the record of an entry says beside its decisions, field by field."""

from typing import Any

from rest_framework import serializers

Out = serializers.Serializer[Any]


class PublicQuestionOut(Out):
    """Output: what a maintainer asked the team, and its answer."""

    decision = serializers.IntegerField(
        source="decision_id", help_text="Number of the decision that asks it."
    )
    text = serializers.CharField()
    asked_at = serializers.DateTimeField()
    due_at = serializers.DateTimeField()
    answer = serializers.CharField(allow_blank=True, help_text="Empty: not answered yet.")
    answer_url = serializers.CharField(allow_blank=True)
    answered_at = serializers.DateTimeField(allow_null=True)


class PromiseOut(Out):
    """Output: a promise of source, and what became of it."""

    due_on = serializers.DateField()
    state = serializers.CharField(
        help_text="open, expired, shown (a link not verified yet), kept or refused."
    )
    url = serializers.CharField(allow_blank=True)
    sentence = serializers.CharField()


class ReplacementOut(Out):
    """Output: one end of a resubmission."""

    entry = serializers.IntegerField(
        source="entry.pk", allow_null=True, default=None, help_text="Null: that submission is not public."
    )
    slug = serializers.CharField(source="entry.slug", allow_null=True, default=None)
    what_changed = serializers.CharField(allow_blank=True, help_text="In the team's words.")


class RecordOut(Out):
    """Output: notes are among the decisions, as kind annotate."""

    questions = PublicQuestionOut(many=True)
    promise = PromiseOut(allow_null=True, help_text="Null: no source was promised.")
    replaces = ReplacementOut(allow_null=True, help_text="The submission in whose place it was handed in.")
    replaced_by = ReplacementOut(many=True, help_text="Public entries that were handed in in its place.")
