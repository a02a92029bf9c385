"""Code beside other code, and the second reading."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0011_evidence")]

    operations = []
