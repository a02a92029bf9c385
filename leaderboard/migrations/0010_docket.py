"""Questions to teams, and what a maintainer has verified."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0009_appeals")]

    operations = []
