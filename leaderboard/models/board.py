"""Tracks, who is placed on them, and the snapshots built from that."""

from django.db import models
from django.db.models import Q

from grading.models import Benchmark
from leaderboard.models.entry import Entry


class Track(models.Model):
    """A board of its own. What it asks for is data, so that a rule change is a row and not a release."""

    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=60)
    summary = models.TextField()
    position = models.PositiveSmallIntegerField(help_text="Strictest first.")
    is_ranked = models.BooleanField(default=True)
    is_warned = models.BooleanField(default=False)
    required_checks = models.JSONField(default=list, help_text="Codes of the checks that must hold.")
    accepts = models.JSONField(
        default=dict, help_text="Check code to the answers the track takes; a check not named takes any."
    )
    shows_also = models.ManyToManyField(
        "self",
        symmetrical=False,
        blank=True,
        related_name="shown_on",
        help_text="Stricter tracks shown here too.",
    )

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return self.title


class Placement(models.Model):
    """That a decision put an entry on a track from a moment on. Append-only; the newest in effect counts."""

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="placements")
    track = models.ForeignKey(Track, on_delete=models.PROTECT, related_name="placements")
    decision = models.ForeignKey("leaderboard.Decision", on_delete=models.PROTECT, related_name="placements")
    effective_at = models.DateTimeField()
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["effective_at", "pk"]

    def __str__(self) -> str:
        return f"{self.entry} on {self.track}"


class Snapshot(models.Model):
    """One build of a benchmark's standings. Pages and API read the current one, so their numbers agree."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="snapshots")
    digest = models.CharField(max_length=64, help_text="SHA-256 of all its rows; the ETag.")
    grader_version = models.CharField(max_length=40)
    built_at = models.DateTimeField()
    is_current = models.BooleanField(default=False)
    basis = models.CharField(
        max_length=64,
        blank=True,
        default="",
        help_text="SHA-256 of what all its rows rest on; empty: every row may be another.",
    )
    seen_decision = models.PositiveBigIntegerField(default=0, help_text="The newest decision it knows.")
    seen_until = models.DateTimeField(
        null=True, blank=True, help_text="Its clock when it was looked after last."
    )

    class Meta:
        ordering = ["-built_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark"], condition=Q(is_current=True), name="one_current_snapshot_per_benchmark"
            )
        ]

    def __str__(self) -> str:
        return f"standings of {self.benchmark} at {self.built_at:%Y-%m-%d %H:%M}"
