"""Entries and their runs, field by field."""

from rest_framework import serializers

from leaderboard.api.out.boards import MaskOut, ShortResultOut, StatisticsOut
from leaderboard.api.out.common import MASKED_BY, RUN_ON, NullableFloat, Out, PageField
from leaderboard.api.out.decisions import DecisionOut
from leaderboard.api.record import RecordOut


class EntryOut(Out):
    """Output: an entry in a list."""

    entry = serializers.IntegerField(source="pk", help_text="Its permanent number.")
    slug = serializers.CharField()
    url = PageField("entry", source="slug", help_text="The entry's page on this site.")
    agent = serializers.CharField(source="agent.name")
    organisation = serializers.CharField(source="agent.organisation.name")
    benchmark = serializers.CharField(source="benchmark.slug")
    scope = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    run_on = serializers.DateField(help_text=RUN_ON)
    withdrawn = serializers.BooleanField(source="is_withdrawn")


class GradedRunOut(Out):
    """Output: one seed on one competition."""

    seed = serializers.CharField()
    competition = serializers.CharField(source="competition_id")
    split = serializers.CharField()
    outcome = serializers.CharField()
    score = NullableFloat()
    medal = serializers.CharField()
    above_median = serializers.BooleanField()
    near_cutoff = serializers.BooleanField(help_text="Within 1e-5 of a cut-off that is itself rounded.")
    missing_reason = serializers.CharField(allow_blank=True)
    message = serializers.CharField(allow_blank=True)
    masked_by = serializers.IntegerField(source="masked_by_id", allow_null=True, help_text=MASKED_BY)


class FiguresOut(ShortResultOut):
    """Output: an entry's figures on one split."""

    split = serializers.CharField()
    gold_mean = NullableFloat()
    silver_mean = NullableFloat()
    bronze_mean = NullableFloat()
    above_median_mean = NullableFloat()
    valid_mean = NullableFloat()
    submitted_mean = NullableFloat()
    padded_runs = serializers.IntegerField(allow_null=True)
    total_runs = serializers.IntegerField(allow_null=True)
    per_seed = serializers.DictField(child=serializers.FloatField(), help_text="Any Medal percent by seed.")


class ClaimOut(Out):
    code = serializers.CharField()
    title = serializers.CharField()
    state = serializers.CharField()
    holds = serializers.BooleanField()
    sentence = serializers.CharField()
    decision = serializers.IntegerField(
        source="decision_id",
        allow_null=True,
        help_text="The one by which a maintainer ruled on it; null: none.",
    )


class EarlierOut(Out):
    """Output: how much of an entry an earlier graded submission of the organisation held already."""

    number = serializers.IntegerField(help_text="On the organisation's record, from 1.")
    confirmed_on = serializers.DateField()
    unchanged = serializers.IntegerField(help_text="Runs that hold a file of it on the same competition.")
    changed = serializers.IntegerField(help_text="Runs in whose place it held another file.")
    entry = serializers.CharField(
        source="entry.slug", allow_null=True, default=None, help_text="Null: not published."
    )


class EntryStandingOut(Out):
    """Output: where an entry stands on one split of its own track, and how sure that is."""

    split = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True, help_text="Shared by equals; null where unranked.")
    position = serializers.IntegerField(help_text="Order on the whole board, from 1.")
    statistics = StatisticsOut(allow_null=True)
    cost_per_medal = NullableFloat(help_text="US dollars for all runs of the scope, by their medals.")


class CheckpointOut(Out):
    """Output: what a run would have handed in earlier, and what that was worth. Never ranked."""

    seed = serializers.CharField()
    competition = serializers.CharField()
    hours = serializers.FloatField()
    score = NullableFloat()
    mark = serializers.CharField(help_text="gold, silver, bronze, above_median, none, or how it ended.")


class EntryDetailOut(EntryOut):
    """Output: an entry with its figures, runs, claims and decisions."""

    track = serializers.CharField(allow_null=True)
    standings = EntryStandingOut(
        many=True,
        help_text="On its own track, by split: rank, rank range, interval, tie with the leader, pass@k.",
    )
    results = FiguresOut(many=True)
    runs = GradedRunOut(many=True)
    checkpoints = CheckpointOut(many=True, help_text="Graded ones, of the competitions that count.")
    masks = MaskOut(many=True, help_text="Competitions that are shown, but not counted, by decision.")
    claims = ClaimOut(many=True)
    decisions = DecisionOut(many=True)
    earlier = EarlierOut(many=True, help_text="Earlier submissions of the organisation, oldest first.")
    run_card = serializers.JSONField(
        allow_null=True, help_text="The confirmed one; null for imported entries."
    )
    record = RecordOut(help_text="Questions, a promise of source, and what replaces what.")
