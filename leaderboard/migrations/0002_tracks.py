"""The three tracks and what each asks for."""

from django.db import migrations

NO_PRIVATE_LB_CHECKS = ["test-set-signal", "attestation"]
CLEAN_CHECKS = [
    "test-set-signal",
    "known-leaks",
    "predictions-by",
    "external-data",
    "human-intervention",
    "validation-route",
    "final-selection",
    "web-search",
    "knowledge-bases",
    "seed-count",
    "seed-coverage",
    "seeds-left-out",
    "scaffold",
    "llms",
    "compute",
    "cost",
    "prompt",
    "graded-here",
    "attestation",
]
CLEAN_ACCEPTS = {
    "test-set-signal": ["none", "validity_only"],
    "predictions-by": ["trained_model"],
    "external-data": ["none", "general"],
    "human-intervention": ["none", "operational"],
    "seed-count": ["three_or_more"],
    "seed-coverage": ["complete", "explained"],
    "seeds-left-out": ["none", "explained"],
    "graded-here": ["yes"],
}
TRACKS = [
    {
        "slug": "clean",
        "title": "Clean",
        "summary": "Graded here, disclosed, uncontradicted: trained models, no held-out feedback, three seeds.",
        "position": 1,
        "required_checks": CLEAN_CHECKS,
        "accepts": CLEAN_ACCEPTS,
    },
    {
        "slug": "no-private-lb",
        "title": "No Private LB",
        "summary": "The team attests that no signal from the private leaderboard reached the agent.",
        "position": 2,
        "required_checks": NO_PRIVATE_LB_CHECKS,
        "accepts": {"test-set-signal": ["none", "validity_only", "label_leak"]},
    },
    {
        "slug": "additional",
        "title": "Additional",
        "summary": "Shown under a warning and unranked: held-out feedback was used, or it was not disclosed.",
        "position": 3,
        "is_ranked": False,
        "is_warned": True,
    },
]


def add_tracks(apps, schema_editor):
    Track = apps.get_model("leaderboard", "Track")
    tracks = {columns["slug"]: Track.objects.create(**columns) for columns in TRACKS}
    tracks["no-private-lb"].shows_also.add(tracks["clean"])


def remove_tracks(apps, schema_editor):
    apps.get_model("leaderboard", "Track").objects.filter(slug__in=[track["slug"] for track in TRACKS]).delete()


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0001_first")]

    operations = [migrations.RunPython(add_tracks, remove_tracks)]
