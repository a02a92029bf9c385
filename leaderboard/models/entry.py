"""Entries: the lines of a board, whether graded here or imported."""

from django.db import models
from django.db.models import Max, Q
from django.utils.functional import cached_property

from grading.constraints import only_choices
from grading.medals import Medal
from grading.models import Benchmark, Competition, Grading, ThresholdsVersion
from grading.splits import Split
from submissions.models import Organisation, Submission


class Agent(models.Model):
    """A scaffold of an organisation, by name. Its versions are on its entries."""

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="agents")
    name = models.CharField(max_length=200)
    slug = models.SlugField(max_length=220, unique=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["organisation", "name"], name="agent_once_per_organisation")
        ]

    def __str__(self) -> str:
        return self.name


class Entry(models.Model):
    """A line on a board. Its primary key is its permanent public number.

    An imported entry carries figures published elsewhere and has no submission until a team claims it.
    """

    class Source(models.TextChoices):
        GRADED = "graded", "graded here"
        IMPORTED = "imported", "self-graded, unverified"

    slug = models.SlugField(max_length=240, unique=True)
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="entries")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="entries")
    source = models.CharField(max_length=10, choices=Source)
    submission = models.OneToOneField(
        Submission, on_delete=models.PROTECT, null=True, blank=True, related_name="entry"
    )
    scope = models.CharField(max_length=10, choices=[(s.value, s.label) for s in Split])
    run_on = models.DateField(help_text="Day of the submission; for imported rows the published date.")

    version = models.CharField(max_length=200, blank=True)
    commit = models.CharField(max_length=200, blank=True)
    url = models.URLField(max_length=500, blank=True)
    source_available = models.BooleanField(null=True, blank=True)
    reports_available = models.BooleanField(null=True, blank=True)
    llms = models.JSONField(default=list, help_text="Strings as declared; empty means undisclosed.")
    no_llm = models.BooleanField(default=False, help_text="The team states that no llm was used.")
    hours = models.FloatField(null=True, blank=True)
    vcpus = models.FloatField(null=True, blank=True)
    ram_gb = models.FloatField(null=True, blank=True)
    gpus = models.FloatField(null=True, blank=True)
    gpu_model = models.CharField(max_length=200, blank=True)
    cost_usd = models.FloatField(null=True, blank=True)
    notes = models.TextField(blank=True)
    import_key = models.CharField(max_length=120, null=True, blank=True, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            only_choices("scope", Split, "entry_scope_known"),
            models.CheckConstraint(
                condition=Q(source="graded", submission__isnull=False)
                | Q(source="imported", import_key__isnull=False),
                name="entry_has_its_origin",
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.pk}: {self.agent}"

    @cached_property
    def last_published_by(self) -> int:
        """Number of the last decision that published it; 0 if none did. Asked once for all that stands on a page."""
        found: int | None = self.decisions.filter(kind="publish").aggregate(last=Max("pk"))["last"]
        return found or 0


class EntryRun(models.Model):
    """The grading and thresholds an entry stands on for one seed and competition, and the medal they make.

    Only a decision moves these pins. A run of the scope that was not handed in has a row without a grading.
    """

    class Outcome(models.TextChoices):
        SCORED = "scored"
        INVALID = "invalid"
        MISSING = "missing"
        GRADER_ERROR = "grader_error", "grader error"
        TIMED_OUT = "timed_out", "timed out"
        OUT_OF_MEMORY = "out_of_memory", "out of memory"

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="runs")
    seed = models.CharField(max_length=100)
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="+")
    split = models.CharField(max_length=10, choices=[(s.value, s.label) for s in Split.stored()])
    grading = models.ForeignKey(Grading, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    thresholds = models.ForeignKey(
        ThresholdsVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    outcome = models.CharField(max_length=15, choices=Outcome)
    score = models.FloatField(null=True, blank=True)
    medal = models.CharField(max_length=10, choices=[(m.value, m.value) for m in Medal])
    above_median = models.BooleanField(default=False)
    near_cutoff = models.BooleanField(
        default=False, help_text="Within 1e-5 of a cut-off that is itself rounded."
    )
    missing_reason = models.CharField(max_length=40, blank=True)
    message = models.TextField(blank=True)
    masked_by = models.ForeignKey(
        "leaderboard.Decision", on_delete=models.PROTECT, null=True, blank=True, db_index=False,
        related_name="masked_runs",
        help_text="The decision by which the competition is shown, but not counted, for this entry.",
    )  # fmt: skip

    class Meta:
        ordering = ["competition_id", "seed"]
        indexes = [
            # A few of millions.
            models.Index(fields=["entry"], condition=Q(masked_by__isnull=False), name="entry_run_masked")
        ]
        constraints = [
            only_choices("medal", Medal, "entry_run_medal_known"),
            models.UniqueConstraint(fields=["entry", "seed", "competition"], name="entry_run_once"),
            models.CheckConstraint(
                condition=Q(outcome="missing", grading=None)
                | ~Q(outcome="missing") & Q(grading__isnull=False),
                name="entry_run_missing_iff_no_grading",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seed} on {self.competition_id}"


class EntryResult(models.Model):
    """An entry's figures on one split, in percent, mean over seeds. Serves graded and imported rows alike."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="results")
    split = models.CharField(max_length=10, choices=[(s.value, s.label) for s in Split])
    any_medal_mean = models.FloatField()
    any_medal_sem = models.FloatField(null=True, blank=True, help_text="Empty with one seed.")
    seeds = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Empty where it was not published."
    )
    gold_mean = models.FloatField(null=True, blank=True)
    silver_mean = models.FloatField(null=True, blank=True)
    bronze_mean = models.FloatField(null=True, blank=True)
    above_median_mean = models.FloatField(null=True, blank=True)
    valid_mean = models.FloatField(null=True, blank=True)
    submitted_mean = models.FloatField(null=True, blank=True)
    padded_runs = models.PositiveIntegerField(
        null=True, blank=True, help_text="Runs of the scope that are missing."
    )
    total_runs = models.PositiveIntegerField(null=True, blank=True)
    is_padded = models.BooleanField(default=False)
    per_seed = models.JSONField(default=dict, help_text="Seed label to Any Medal percent.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "split"], name="result_once_per_split")]

    def __str__(self) -> str:
        return f"{self.entry} on {self.split}"
