"""Benchmarks, tracks, and the rows of a board, field by field."""

from rest_framework import serializers

from leaderboard.api.out.common import PERCENT, RUN_ON, NullableFloat, Out
from leaderboard.models import Track


class BenchmarkRef(Out):
    slug = serializers.CharField()
    title = serializers.CharField()
    answers_public = serializers.BooleanField(help_text="True: anyone can look the answers up.")


class BenchmarkOut(BenchmarkRef):
    """Output: a benchmark version with the number of its competitions by split."""

    description = serializers.CharField()
    competitions = serializers.DictField(
        child=serializers.IntegerField(), help_text="By split; absent: none."
    )


class TrackRef(Out):
    slug = serializers.CharField()
    title = serializers.CharField()
    is_ranked = serializers.BooleanField()
    is_warned = serializers.BooleanField()


class TrackOut(TrackRef):
    """Output: a track and what it asks for."""

    summary = serializers.CharField()
    position = serializers.IntegerField(help_text="Strictest first.")
    required_checks = serializers.ListField(child=serializers.CharField(), help_text="See docs/checks/.")
    accepts = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Check to the answers the track takes; a check not named takes any.",
    )
    shows_also = serializers.SerializerMethodField(help_text="Stricter tracks whose entries stand here too.")

    def get_shows_also(self, track: Track) -> list[str]:
        return [other.slug for other in track.shows_also.all()]


class SnapshotRef(Out):
    id = serializers.IntegerField(
        source="snapshot", allow_null=True, help_text="Null before the first is built."
    )
    built_at = serializers.DateTimeField(allow_null=True)
    digest = serializers.CharField(
        allow_blank=True, help_text="Changes exactly when something shown changes."
    )
    grader_version = serializers.CharField(allow_blank=True)


class ShortResultOut(Out):
    """Output: Any Medal of one split."""

    any_medal_mean = serializers.FloatField(help_text=PERCENT)
    any_medal_sem = NullableFloat(help_text="Standard error over seeds; null with one seed.")
    seeds = serializers.IntegerField(allow_null=True, help_text="Null where it was not published.")


class ResultOut(ShortResultOut):
    """Output: every figure of the board's split. Imported rows know Any Medal alone."""

    gold_mean = NullableFloat(help_text=PERCENT)
    silver_mean = NullableFloat(help_text=PERCENT)
    bronze_mean = NullableFloat(help_text=PERCENT)
    gold_count = serializers.IntegerField(allow_null=True, help_text="In all seeds together.")
    silver_count = serializers.IntegerField(allow_null=True)
    bronze_count = serializers.IntegerField(allow_null=True)
    above_median_mean = NullableFloat(help_text=PERCENT)
    valid_mean = NullableFloat(help_text=PERCENT)
    submitted_mean = NullableFloat(help_text=PERCENT)
    padded = serializers.CharField(
        allow_null=True, help_text="Such as “padded 3 of 225”: missing runs are failures."
    )


class BadgeOut(Out):
    kind = serializers.CharField()
    text = serializers.CharField()


class NoteOut(Out):
    """Output: the decision behind a warning or an upheld flag."""

    reason = serializers.CharField()
    evidence_url = serializers.CharField(help_text="Empty where the evidence is private.")
    evidence_note = serializers.CharField(default="", help_text="Who sees the evidence, where it is private.")
    decision = serializers.IntegerField(allow_null=True, help_text="Number of the public decision.")
    candour = serializers.CharField(
        default="",
        help_text="self-reported: the team said so itself; undisclosed: its run card left the question open.",
    )


class StatisticsOut(Out):
    """Output: how sure the row's figures are, as computed when the snapshot was built. See docs/statistics/."""

    applies = serializers.BooleanField(help_text="Whether the row has a rank range on this board.")
    why_not = serializers.CharField(allow_null=True, help_text="In words, where it has none.")
    competitions = serializers.IntegerField(help_text="Of the split.")
    counted = serializers.IntegerField(
        allow_null=True, default=None, help_text="How many of them count for the entry; null: not known."
    )
    interval_low = NullableFloat(
        help_text="95 % interval of Any Medal over competitions and seeds, in percent."
    )
    interval_high = NullableFloat()
    rank_low = serializers.IntegerField(
        allow_null=True, help_text="Best rank of the middle 95 % of resamples."
    )
    rank_high = serializers.IntegerField(allow_null=True)
    is_leader = serializers.BooleanField()
    tied_with_leader = serializers.BooleanField(
        allow_null=True, help_text="Whether it cannot be told apart from the leader; null: not compared."
    )
    p_value = NullableFloat(help_text="Sign-flip test against the leader, paired by competition.")
    p_adjusted = NullableFloat(help_text="The same by Holm over all comparisons with the leader.")
    differing = serializers.IntegerField(
        allow_null=True, help_text="Competitions on which its medal rate is not the leader's."
    )
    pass_at_k = serializers.ListField(
        child=serializers.FloatField(), help_text="Percent for k = 1, 2, … up to the number of seeds."
    )
    seed = serializers.IntegerField(help_text="Of the resamples, so that they can be repeated.")
    resamples = serializers.IntegerField()


class PartFiguresOut(Out):
    """Output: Any Medal over a part of the competitions."""

    mean = serializers.FloatField(help_text=PERCENT)
    sem = NullableFloat(help_text="Standard error over seeds; null with one seed.")
    competitions = serializers.IntegerField(help_text="How many the part has.")


class MaskFiguresOut(PartFiguresOut):
    """Output: Any Medal without the competitions that a mask leaves out."""

    rank = serializers.IntegerField(allow_null=True, help_text="Among the rows whose runs are known here.")


class MaskOut(Out):
    """Output: the competitions of an entry that one decision masks."""

    decision = serializers.IntegerField(help_text="Number of the public decision.")
    reason = serializers.CharField()
    competitions = serializers.ListField(child=serializers.CharField(), help_text="Ids.")


class MaskedOut(Out):
    """Output: how much of a split counts for an entry; what is masked is shown, but not counted."""

    counted = serializers.IntegerField(help_text="Competitions of the split that count for this entry.")
    total = serializers.IntegerField(help_text="With those masked.")
    text = serializers.CharField(help_text="Such as “72 of 75 counted, 3 masked by decision 42”.")
    by = MaskOut(many=True)


class DisclosedOut(Out):
    """Output: how many of the questions about an agent and its hardware a row answers."""

    answered = serializers.IntegerField()
    total = serializers.IntegerField()
    missing = serializers.ListField(child=serializers.CharField(), help_text="What is undisclosed.")


class RowOut(Out):
    """Output: one line of a board."""

    rank = serializers.IntegerField(allow_null=True, help_text="Shared by equals; null where unranked.")
    position = serializers.IntegerField(help_text="Order on the whole board, from 1.")
    view_position = serializers.IntegerField(help_text="Order among the rows that answer, from 1.")
    entry = serializers.IntegerField(help_text="The entry's permanent number.")
    slug = serializers.CharField()
    url = serializers.CharField(help_text="The entry's page on this site.")
    agent = serializers.CharField()
    agent_slug = serializers.CharField()
    version = serializers.CharField(allow_null=True)
    organisation = serializers.CharField()
    organisation_slug = serializers.CharField()
    llms = serializers.ListField(
        child=serializers.CharField(), help_text="Empty: undisclosed, unless no_llm."
    )
    no_llm = serializers.BooleanField(help_text="The team states that no llm was used.")
    run_on = serializers.DateField(help_text=RUN_ON)
    track = serializers.CharField(help_text="The track the entry itself stands on.")
    track_title = serializers.CharField()
    scope = serializers.CharField(help_text="low, medium, high, all or dev.")
    source = serializers.CharField(help_text="graded or imported.")  # type: ignore[assignment]
    source_text = serializers.CharField()
    answers_public = serializers.BooleanField()
    source_available = serializers.BooleanField(allow_null=True)
    reports_available = serializers.BooleanField(allow_null=True)
    notes = serializers.CharField(allow_null=True)
    disclosed = DisclosedOut(help_text="How much of what readers compare rows by is said.")
    result = ResultOut(allow_null=True, help_text="Null where the entry did not attempt this split.")
    results = serializers.DictField(
        child=ShortResultOut(allow_null=True), help_text="By split; null: not attempted."
    )
    competition = serializers.CharField(
        allow_null=True, help_text="Where the split is one competition: which."
    )
    seed_scores = serializers.DictField(
        child=NullableFloat(), help_text="There: the score of each seed; null where it has none."
    )
    hours = NullableFloat(help_text="Hours allowed per run.")
    vcpus = NullableFloat()
    ram_gb = NullableFloat()
    gpus = NullableFloat()
    gpu_model = serializers.CharField(allow_null=True)
    cost_usd = NullableFloat()
    badges = BadgeOut(many=True)
    warning = NoteOut(allow_null=True)
    flags = NoteOut(many=True, help_text="Upheld flags.")
    statistics = StatisticsOut(allow_null=True, help_text="Null where only the whole board has them.")
    masks = serializers.DictField(
        child=MaskFiguresOut(),
        allow_null=True,
        help_text="By mask: none, known-leaks, known-issues, and the one asked for.",
    )
    categories = serializers.DictField(
        child=PartFiguresOut(), allow_null=True, help_text="By category of competition."
    )
    cost_per_medal = NullableFloat(help_text="US dollars for all runs of the scope, by their medals.")
    masked = MaskedOut(
        allow_null=True,
        help_text="Competitions that a decision takes out of this entry's figures; null: none.",
    )
    nothing_counted = serializers.ListField(
        child=serializers.CharField(), help_text="Splits without a figure since everything on them is masked."
    )
    rank_shift = serializers.IntegerField(
        allow_null=True,
        help_text="Under a mask: ranks won (above 0) or lost by it, among the rows whose runs are known here.",
    )


class PastOut(Out):
    """Output: as of when, and what is to be known about that."""

    at = serializers.DateTimeField()
    recorded_later = serializers.IntegerField(
        help_text="Decisions in effect then that this site recorded only later."
    )
    last_recorded_at = serializers.DateTimeField(allow_null=True)
    changed_since = serializers.IntegerField(help_text="Decisions that took effect since.")


class ViewOut(Out):
    """Output: what was asked of the rows."""

    conditions = serializers.ListField(child=serializers.CharField(), help_text="In words.")
    mask = serializers.CharField(help_text="none, or which competitions are left out.")
    category = serializers.CharField(allow_null=True)
    sort = serializers.CharField()
    has_statistics = serializers.BooleanField(
        help_text="Whether intervals, rank ranges and ties apply: only to a whole board of now."
    )


class RankingOut(Out):
    """Output: a board."""

    benchmark = BenchmarkRef()
    track = TrackRef()
    split = serializers.CharField(help_text="low, medium, high, all or dev.")
    splits = serializers.ListField(child=serializers.CharField(), help_text="All of the benchmark.")
    exact = serializers.BooleanField(help_text="True: entries of stricter tracks are left out.")
    as_of = PastOut(allow_null=True, help_text="Null: now.")
    view = ViewOut()
    snapshot = SnapshotRef()
    count = serializers.IntegerField(help_text="Rows that answer, on all pages together.")
    total = serializers.IntegerField(help_text="Rows of the whole board.")
    next = serializers.CharField(allow_null=True, help_text="Where the next page is; null on the last.")
    rows = RowOut(many=True)
