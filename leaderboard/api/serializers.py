"""What the public API gives, field by field. Numbers are those of the page; None is "not known"."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from leaderboard.models import Track

PERCENT = "Percent (0-100), mean over seeds."
Out = serializers.Serializer[Any]


class NullableFloat(serializers.FloatField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)


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


def moment(value: Any) -> str | None:
    """A time as every answer writes it."""
    return serializers.DateTimeField().to_representation(value) if value else None


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
    evidence_url = serializers.CharField()
    decision = serializers.IntegerField(allow_null=True, help_text="Number of the public decision.")


class StatisticsOut(Out):
    """Output: how sure the row's figures are, as computed when the snapshot was built. See docs/statistics/."""

    applies = serializers.BooleanField(help_text="Whether the row has a rank range on this board.")
    why_not = serializers.CharField(allow_null=True, help_text="In words, where it has none.")
    competitions = serializers.IntegerField(help_text="Of the split.")
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
    run_on = serializers.DateField()
    track = serializers.CharField(help_text="The track the entry itself stands on.")
    track_title = serializers.CharField()
    scope = serializers.CharField(help_text="low, medium, high, all or dev.")
    source = serializers.CharField(help_text="graded or imported.")  # type: ignore[assignment]
    source_text = serializers.CharField()
    answers_public = serializers.BooleanField()
    source_available = serializers.BooleanField(allow_null=True)
    reports_available = serializers.BooleanField(allow_null=True)
    notes = serializers.CharField(allow_null=True)
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
        child=MaskFiguresOut(), allow_null=True, help_text="By mask: none, known-leaks, known-issues."
    )
    categories = serializers.DictField(
        child=PartFiguresOut(), allow_null=True, help_text="By category of competition."
    )
    cost_per_medal = NullableFloat(help_text="US dollars for all runs of the scope, by their medals.")


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
    mask = serializers.CharField(help_text="none, known-leaks or known-issues.")
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


class EntryOut(Out):
    """Output: an entry in a list."""

    entry = serializers.IntegerField(source="pk", help_text="Its permanent number.")
    slug = serializers.CharField()
    url = serializers.SerializerMethodField(help_text="The entry's page on this site.")
    agent = serializers.CharField(source="agent.name")
    organisation = serializers.CharField(source="agent.organisation.name")
    benchmark = serializers.CharField(source="benchmark.slug")
    scope = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    run_on = serializers.DateField()
    withdrawn = serializers.BooleanField(source="is_withdrawn")

    def get_url(self, entry: Any) -> str:
        return reverse("entry", args=[entry["slug"] if isinstance(entry, dict) else entry.slug])


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


class DecisionOut(Out):
    """Output: a public decision."""

    number = serializers.IntegerField(source="pk")
    kind = serializers.CharField()
    track = serializers.CharField(source="track.slug", allow_null=True, default=None)
    reason = serializers.CharField()
    rule = serializers.CharField()
    evidence_url = serializers.CharField()
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
    hash = serializers.CharField()


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


class EntryDetailOut(EntryOut):
    """Output: an entry with its figures, runs, claims and decisions."""

    track = serializers.CharField(allow_null=True)
    results = FiguresOut(many=True)
    runs = GradedRunOut(many=True)
    claims = ClaimOut(many=True)
    decisions = DecisionOut(many=True)
    run_card = serializers.JSONField(
        allow_null=True, help_text="The confirmed one; null for imported entries."
    )
