"""Notices to people and webhooks."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0013_fingerprints")]

    operations = []
