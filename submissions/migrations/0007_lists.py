"""Indexes that lists are read by."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('grading', '0004_fair_queue'),
        ('submissions', '0006_object_uploads'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='organisation',
            index=models.Index(condition=models.Q(('verified_at', None)), fields=['created_at', 'id'], name='organisation_to_verify'),
        ),
        migrations.AddIndex(
            model_name='runcardrevision',
            index=models.Index(condition=models.Q(('author__isnull', False)), fields=['author'], name='run_card_written_by'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(fields=['team', '-created_at', '-id'], name='submission_of_team'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(condition=models.Q(('confirmed_by__isnull', False)), fields=['confirmed_by'], name='submission_confirmed_by'),
        ),
    ]
