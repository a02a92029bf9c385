"""What a submission replaces, and what changed."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("submissions", "0004_quotas")]

    operations = []
