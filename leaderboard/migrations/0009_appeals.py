"""Appeals, and who sees a flag until when."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0008_masks")]

    operations = []
