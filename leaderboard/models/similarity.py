"""Code of submissions beside other code, and what an llm read in logs and code. For maintainers alone."""

from django.db import models
from django.db.models import Q

from grading.models import Competition
from submissions.models import Submission


class CodeFile(models.Model):
    """The fingerprints of one file of code: of a submission, or of a notebook that maintainers loaded.

    A submission's text stays in the evidence store; a notebook's lies here. Files of one submission that differ
    in names, comments and spaces alone are one row.
    """

    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, null=True, blank=True, related_name="code_files"
    )
    competition = models.ForeignKey(
        Competition, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    name = models.CharField(max_length=500, help_text="Its path in the bundle, or the notebook's file name.")
    copies = models.PositiveIntegerField(
        default=1, help_text="How many files of the submission it stands for."
    )
    digest = models.CharField(max_length=64, help_text="SHA-256 of its tokens, without names of its own.")
    key = models.CharField(max_length=250, blank=True, help_text="Of its text in the evidence store.")
    text = models.TextField(blank=True, help_text="Of notebooks alone.")
    tokens = models.PositiveIntegerField()
    prints = models.BinaryField(help_text="Sorted fingerprints, eight bytes each.")
    read_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "digest"], name="code_once_per_submission"),
            models.UniqueConstraint(
                fields=["competition", "digest"], condition=Q(submission=None), name="notebook_once"
            ),
            models.CheckConstraint(
                condition=Q(submission__isnull=False, text="")
                | Q(submission=None, competition__isnull=False),
                name="code_is_evidence_or_notebook",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_notebook(self) -> bool:
        return self.submission_id is None


class CodeMatch(models.Model):
    """A file of a submission that is much like another: how much of each, and the fragments they share."""

    left = models.ForeignKey(CodeFile, on_delete=models.CASCADE, related_name="matches")
    right = models.ForeignKey(CodeFile, on_delete=models.CASCADE, related_name="matched_by")
    left_share = models.FloatField(help_text="Percent of the left file's tokens that the right one has too.")
    right_share = models.FloatField()
    tokens = models.PositiveIntegerField(help_text="Tokens of the left file that the right one has too.")
    fragments = models.JSONField(default=list, help_text="Objects with lines and text of both sides.")
    found_at = models.DateTimeField()

    class Meta:
        ordering = ["-left_share", "pk"]
        constraints = [models.UniqueConstraint(fields=["left", "right"], name="code_match_once")]

    def __str__(self) -> str:
        return f"{self.left} beside {self.right}"


class CodeComparison(models.Model):
    """That the code of a submission was compared, with how much, and what could not be read."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="code_comparison")
    files = models.PositiveIntegerField(help_text="Files of code in the bundle.")
    read = models.PositiveIntegerField(help_text="Different ones that were read.")
    compared_with = models.PositiveIntegerField(help_text="Files of others that were looked at.")
    left_out = models.JSONField(default=list, help_text="Objects with path, reason.")
    compared_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"code of {self.submission}"


class SecondReading(models.Model):
    """How an llm's reading of the logs and code of one submission went."""

    class State(models.TextChoices):
        RUNNING = "running"
        DONE = "done"
        CUT_SHORT = "cut_short", "cut short"

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="second_reading")
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    llm = models.CharField(max_length=200)
    note = models.TextField(blank=True, help_text="Why it was cut short.")
    pieces = models.PositiveIntegerField(default=0, help_text="Pieces of text there were.")
    pieces_read = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0, help_text="Spent, over all attempts.")
    quotes_dropped = models.PositiveIntegerField(
        default=0, help_text="Quotes that did not stand in the text they were said to come from."
    )
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"second reading of {self.submission}"


class SecondAnswer(models.Model):
    """What was answered to one question about one piece of text, where it was not "no"."""

    class Answer(models.TextChoices):
        YES = "yes"
        UNCLEAR = "unclear"

    reading = models.ForeignKey(SecondReading, on_delete=models.CASCADE, related_name="answers")
    question = models.CharField(max_length=40)
    answer = models.CharField(max_length=10, choices=Answer)
    path = models.CharField(max_length=500)
    line = models.PositiveIntegerField(help_text="Where the piece begins in the file.")
    quotes = models.JSONField(default=list, help_text="Objects with line, text.")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.question}: {self.answer}"


class Contamination(models.Model):
    """What the medals of a submission say of what its agent may have known, as computed when its review opened."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="contamination")
    lines = models.JSONField(default=list, help_text="One object per comparison: docs/contamination.md.")
    computed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"contamination of {self.submission}"
