"""What was read in logs and code."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0010_docket"), ("submissions", "0004_quotas")]

    operations = [
        migrations.CreateModel(
            name="EvidenceReading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("state", models.CharField(choices=[("queued", "waiting"), ("running", "Running"), ("done", "Done"), ("failed", "given up")], default="queued", max_length=10)),
                ("not_before", models.DateTimeField()),
                ("rung_at", models.DateTimeField(blank=True, help_text="When the sweep last rang for it.", null=True)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("fencing_token", models.PositiveIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("facts", models.JSONField(blank=True, default=dict, help_text="Counts, llms and hours, as checks and findings use them; no lines.")),
                ("created_at", models.DateTimeField()),
                ("read_at", models.DateTimeField(blank=True, help_text="When it was done, or given up.", null=True)),
                ("submission", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name="evidence_reading", to="submissions.submission")),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["state", "not_before"], name="leaderboard_state_e872bc_idx")],
                "constraints": [
                    models.CheckConstraint(condition=Q(state__in=["queued", "running", "done", "failed"]), name="evidence_reading_state_known"),
                    models.CheckConstraint(
                        condition=Q(("read_at__isnull", False), ("state__in", ["done", "failed"]))
                        | Q(Q(("state__in", ["done", "failed"]), _negated=True), ("read_at", None)),
                        name="evidence_reading_ends_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EvidenceMatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(help_text="Of the pattern: docs/evidence.md.", max_length=40)),
                ("subject", models.CharField(blank=True, help_text="Where it is about one llm, its id.", max_length=120)),
                ("path", models.CharField(max_length=500)),
                ("place", models.CharField(blank=True, help_text="Seed/competition; empty: of no single run.", max_length=250)),
                ("kind", models.CharField(choices=[("log", "log"), ("code", "code")], max_length=4)),
                ("line", models.PositiveIntegerField()),
                ("text", models.CharField(max_length=400)),
                ("before", models.JSONField(blank=True, default=list)),
                ("after", models.JSONField(blank=True, default=list)),
                ("reading", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="matches", to="leaderboard.evidencereading")),
            ],
            options={"ordering": ["pk"]},
        ),
    ]
