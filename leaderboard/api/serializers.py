"""What the public API gives, field by field. Numbers are those of the page; None is "not known"."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from rest_framework import serializers

from leaderboard.api.record import RecordOut
from leaderboard.integrity.appeals import EFFECTS, closes_at
from leaderboard.integrity.candour import candour_said
from leaderboard.models import Track
from leaderboard.public_evidence import evidence_link, evidence_note

MASKED_BY = "The decision by which it is shown, but not counted; null: it counts."
PERCENT = "Percent (0-100), mean over seeds."
Out = serializers.Serializer[Any]
# What DecisionOut shows of other tables.
DECISION_RELATED = ("track", "decided_by", "superseded_by", "appeal__answer")


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
    masked_by = serializers.IntegerField(source="masked_by_id", allow_null=True, help_text=MASKED_BY)


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
