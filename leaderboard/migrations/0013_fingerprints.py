"""Fingerprints of predictions."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0012_similarity")]

    operations = []
