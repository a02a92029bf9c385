"""Competitions that a decision takes out of the count of an entry."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0007_decision_details")]

    operations = []
