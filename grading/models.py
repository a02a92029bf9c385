"""What a CSV is worth: competitions, their answers and thresholds, stored CSVs and their gradings."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q

from grading.constraints import only_choices
from grading.medals import Thresholds
from grading.splits import Split


class Benchmark(models.Model):
    """One version of a benchmark. Boards never mix two of them."""

    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    answers_public = models.BooleanField(
        default=False,
        help_text="Anyone can look the answers up, so a score proves nothing but the machinery.",
    )
    position = models.PositiveSmallIntegerField(
        default=0, help_text="Order in the chooser; the lowest is the default."
    )
    competitions: "models.ManyToManyField[Competition, Membership]" = models.ManyToManyField(
        "Competition", through="Membership", related_name="benchmarks"
    )

    class Meta:
        ordering = ["position", "slug"]

    def __str__(self) -> str:
        return self.title


class Competition(models.Model):
    """The database's copy of one file of `grading/competitions/`, kept so that pages need not read files."""

    id = models.CharField(primary_key=True, max_length=120)
    title = models.CharField(max_length=200)
    category = models.CharField(max_length=100)
    metric = models.CharField(max_length=200)
    metric_family = models.CharField(max_length=60)
    lower_is_better = models.BooleanField()
    closed_on = models.DateField(null=True, blank=True)
    kaggle_url = models.URLField(blank=True)
    validity = models.JSONField(default=list, help_text="Sentences for people.")
    known_issues = models.JSONField(default=list, help_text="Objects with kind, summary, source.")
    file_digest = models.CharField(max_length=64, help_text="SHA-256 of the competition file.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.title


class Membership(models.Model):
    """A competition's split in a benchmark."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="memberships")
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="memberships")
    split = models.CharField(max_length=10, choices=[(s.value, s.value.title()) for s in Split.stored()])

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "competition"], name="competition_once_per_benchmark"
            ),
            only_choices("split", Split.stored(), "membership_split_known"),
        ]

    def __str__(self) -> str:
        return f"{self.competition_id} ({self.split})"


class ThresholdsVersion(models.Model):
    """Cut-offs of the human private leaderboard, in the competition's own units. The newest number counts."""

    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="thresholds")
    number = models.PositiveIntegerField()
    gold = models.FloatField()
    silver = models.FloatField()
    bronze = models.FloatField()
    median = models.FloatField()
    exact = models.BooleanField(help_text="False where the cut-offs come from a table rounded to 5 decimals.")
    num_teams = models.PositiveIntegerField(null=True, blank=True)
    source = models.TextField()
    leaderboard_sha256 = models.CharField(
        max_length=64,
        blank=True,
        help_text="Of the human leaderboard they follow from; empty where they come from the competition's file.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["competition_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "number"], name="thresholds_number_once")
        ]

    def __str__(self) -> str:
        return f"{self.competition_id} thresholds {self.number}"

    @property
    def cutoffs(self) -> Thresholds:
        """As the rule that awards medals takes them."""
        return Thresholds(
            self.gold, self.silver, self.bronze, self.median, self.exact, self.source, self.num_teams
        )


class AnswersVersion(models.Model):
    """That answers were loaded: rows and a keyed fingerprint. The answers themselves lie in the vault alone."""

    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="answers")
    number = models.PositiveIntegerField()
    rows = models.PositiveBigIntegerField()
    hmac = models.CharField(max_length=64, help_text="HMAC-SHA256 under a key of the vault; no plain digest.")
    shape_key = models.CharField(max_length=200, help_text="Where the label-free outline is stored.")
    loaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["competition_id", "number"]
        constraints = [models.UniqueConstraint(fields=["competition", "number"], name="answers_number_once")]

    def __str__(self) -> str:
        return f"{self.competition_id} answers {self.number}"


class Blob(models.Model):
    """A stored CSV, once per realm.

    A realm is an opaque word of the caller (submissions passes its team). Equal files of two realms are
    two blobs, so that nobody can learn from timing that somebody else holds the same file.
    """

    realm = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    key = models.CharField(max_length=250, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        # By digest alone the site finds equal files of different realms, for maintainers.
        indexes = [models.Index(fields=["sha256"], name="blob_by_digest")]
        constraints = [models.UniqueConstraint(fields=["realm", "sha256"], name="blob_once_per_realm")]

    def __str__(self) -> str:
        return self.key


class GradingState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"


class GradingOutcome(models.TextChoices):
    """How a grading ended. A run that was never handed in has no grading at all."""

    SCORED = "scored"
    INVALID = "invalid"
    GRADER_ERROR = "grader_error", "grader error"
    TIMED_OUT = "timed_out", "timed out"
    OUT_OF_MEMORY = "out_of_memory", "out of memory"


class GradingPriority(models.IntegerChoices):
    """Who is served first, the lowest number before all others."""

    TEAM = 0, "a team's run"
    REGRADE = 10, "a regrade"
    CHECKPOINT = 20, "a checkpoint"


# A verdict on the file would be the same again; these need not be.
MACHINE_OUTCOMES = frozenset(
    {GradingOutcome.GRADER_ERROR, GradingOutcome.TIMED_OUT, GradingOutcome.OUT_OF_MEMORY}
)


class GradingLane(models.Model):
    """Those who share one turn in the queue: `grading/lanes.py` says whose it is."""

    word = models.CharField(max_length=64, blank=True, help_text="The caller's, opaque.")
    priority = models.PositiveSmallIntegerField(choices=GradingPriority, default=GradingPriority.TEAM)
    clock = models.FloatField(default=0, help_text="Seconds of grading it was given, from where it joined.")
    expected_s = models.FloatField(default=1, help_text="What its gradings have lately taken.")

    class Meta:
        indexes = [models.Index(fields=["priority", "clock"])]
        constraints = [models.UniqueConstraint(fields=["word", "priority"], name="lane_once")]

    def __str__(self) -> str:
        return f"lane {self.word or '-'} at {self.priority}"


class GradingQuerySet(models.QuerySet["Grading"]):
    def claimable(self, now: datetime) -> "GradingQuerySet":
        """Those a worker may take: waiting and due, or held by a worker whose lease ran out."""
        waiting = Q(state=Grading.State.QUEUED, not_before__lte=now)
        lost = Q(state=Grading.State.RUNNING, lease_until__lt=now)
        return self.filter(waiting | lost)


class Grading(models.Model):
    """One score of one CSV. The row is the queue's truth; the broker only rings."""

    State = GradingState
    Outcome = GradingOutcome
    Priority = GradingPriority

    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, related_name="gradings")
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="gradings")
    answers = models.ForeignKey(AnswersVersion, on_delete=models.PROTECT, null=True, blank=True)
    grader_version = models.CharField(max_length=40, help_text="The version this was asked for.")
    graded_with = models.CharField(max_length=40, blank=True, help_text="The version that ran.")
    repeat = models.PositiveSmallIntegerField(
        default=0, help_text="Counts gradings asked for again with the same answers and grader."
    )

    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    priority = models.PositiveSmallIntegerField(choices=GradingPriority, default=GradingPriority.TEAM)
    lane = models.ForeignKey(
        GradingLane, on_delete=models.PROTECT, null=True, blank=True, related_name="gradings",
        help_text="Empty only where it never waited in one.",
    )  # fmt: skip
    not_before = models.DateTimeField()
    rung_at = models.DateTimeField(null=True, blank=True, help_text="When the sweep last rang for it.")
    lease_until = models.DateTimeField(null=True, blank=True)
    fencing_token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)

    outcome = models.CharField(max_length=15, choices=Outcome, blank=True)
    score = models.FloatField(null=True, blank=True, help_text="Rounded to 5 decimals.")
    code = models.CharField(max_length=60, blank=True)
    message = models.TextField(blank=True)
    wall_s = models.FloatField(null=True, blank=True)
    peak_memory_mb = models.FloatField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    graded_at = models.DateTimeField(null=True, blank=True)

    objects = GradingQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["state", "not_before"]),
            models.Index(fields=["state", "lease_until"]),
            # A claim looks at the first of each lane, however much waits behind it.
            models.Index(fields=["lane", "state", "not_before", "id"], name="grading_next_in_lane"),
        ]
        constraints = [
            # Without a lane nobody would ever take it.
            models.CheckConstraint(
                condition=Q(state="done") | Q(lane__isnull=False), name="grading_waits_in_a_lane"
            ),
            only_choices("state", GradingState, "grading_state_known"),
            only_choices("outcome", GradingOutcome, "grading_outcome_known", blank=True),
            models.UniqueConstraint(
                fields=["blob", "competition", "answers", "grader_version", "repeat"], name="grading_once"
            ),
            models.UniqueConstraint(
                fields=["blob", "competition", "grader_version", "repeat"],
                condition=Q(answers=None),
                name="grading_without_answers_once",
            ),
            models.CheckConstraint(
                condition=Q(state="done", graded_at__isnull=False) & ~Q(outcome="")
                | ~Q(state="done") & Q(outcome="", score=None),
                name="grading_done_has_outcome",
            ),
            models.CheckConstraint(
                condition=Q(outcome="scored", score__isnull=False) | ~Q(outcome="scored") & Q(score=None),
                name="grading_score_iff_scored",
            ),
        ]

    def __str__(self) -> str:
        return f"grading {self.pk} of {self.competition_id}"

    @property
    def may_differ(self) -> bool:
        """Whether it ended for reasons of the machine, so that it may end otherwise the next time."""
        return self.outcome in MACHINE_OUTCOMES


class Ring(models.Model):
    """A task somebody wants rung, with one argument, when a grading is done."""

    grading = models.ForeignKey(Grading, on_delete=models.CASCADE, related_name="rings")
    task = models.CharField(max_length=100)
    argument = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["grading", "task", "argument"], name="ring_once")]

    def __str__(self) -> str:
        return f"{self.task}({self.argument})"

    def message(self) -> tuple[str, str]:
        """Task and argument, as `ring` takes them."""
        return self.task, self.argument


class GradingHost(models.Model):
    """What the last canary of a grading host saw. The status page shows it; a red one grades nothing."""

    # A canary runs hourly; one that is two hours late has stopped.
    STALE_AFTER = timedelta(hours=2)

    name = models.CharField(max_length=120, unique=True)
    is_isolated = models.BooleanField()
    mode = models.CharField(max_length=20, blank=True)
    sandbox_version = models.CharField(max_length=60, blank=True)
    sandbox_path = models.CharField(max_length=250, blank=True)
    probes = models.JSONField(default=list, help_text="Names of the probes that held.")
    reason = models.TextField(blank=True, help_text="Why isolation could not be had, and how to mend it.")
    grader_version = models.CharField(max_length=40, blank=True)
    slots = models.PositiveSmallIntegerField(default=0, help_text="Gradings at the same time.")
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
