"""What was read in logs and code."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0010_docket")]

    operations = []
