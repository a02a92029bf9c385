"""Indexes that lists are read by."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0017_board_columns'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='decision',
            index=models.Index(condition=models.Q(('supersedes__isnull', False)), fields=['supersedes'], name='decision_superseding'),
        ),
        migrations.AddIndex(
            model_name='flag',
            index=models.Index(fields=['-raised_at', '-id'], name='flag_newest'),
        ),
        migrations.AddIndex(
            model_name='flag',
            index=models.Index(fields=['raised_by', '-raised_at', '-id'], name='flag_of_raiser'),
        ),
        migrations.AddIndex(
            model_name='flag',
            index=models.Index(fields=['state', 'raised_at', 'id'], name='flag_waiting'),
        ),
        migrations.AddIndex(
            model_name='question',
            index=models.Index(fields=['answered_at', 'due_at', 'asked_at', 'id'], name='question_by_clock'),
        ),
    ]
