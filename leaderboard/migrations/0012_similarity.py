"""Code beside other code, the second reading, and what medals say of contamination."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0011_evidence")]

    operations = [
        migrations.CreateModel(
            name='CodeComparison',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('files', models.PositiveIntegerField(help_text='Files of code in the bundle.')),
                ('read', models.PositiveIntegerField(help_text='Different ones that were read.')),
                ('compared_with', models.PositiveIntegerField(help_text='Files of others that were looked at.')),
                ('left_out', models.JSONField(default=list, help_text='Objects with path, reason.')),
                ('compared_at', models.DateTimeField()),
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='code_comparison', to='submissions.submission')),
            ],
        ),
        migrations.CreateModel(
            name='CodeFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text="Its path in the bundle, or the notebook's file name.", max_length=500)),
                ('copies', models.PositiveIntegerField(default=1, help_text='How many files of the submission it stands for.')),
                ('digest', models.CharField(help_text='SHA-256 of its tokens, without names of its own.', max_length=64)),
                ('key', models.CharField(blank=True, help_text='Of its text in the evidence store.', max_length=250)),
                ('text', models.TextField(blank=True, help_text='Of notebooks alone.')),
                ('tokens', models.PositiveIntegerField()),
                ('prints', models.BinaryField(help_text='Sorted fingerprints, eight bytes each.')),
                ('read_at', models.DateTimeField()),
                ('competition', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.competition')),
                ('submission', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='code_files', to='submissions.submission')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='CodeMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('left_share', models.FloatField(help_text="Percent of the left file's tokens that the right one has too.")),
                ('right_share', models.FloatField()),
                ('tokens', models.PositiveIntegerField(help_text='Tokens of the left file that the right one has too.')),
                ('fragments', models.JSONField(default=list, help_text='Objects with lines and text of both sides.')),
                ('found_at', models.DateTimeField()),
                ('left', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='leaderboard.codefile')),
                ('right', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matched_by', to='leaderboard.codefile')),
            ],
            options={
                'ordering': ['-left_share', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Contamination',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lines', models.JSONField(default=list, help_text='One object per comparison: docs/contamination.md.')),
                ('computed_at', models.DateTimeField()),
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='contamination', to='submissions.submission')),
            ],
        ),
        migrations.CreateModel(
            name='SecondReading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('running', 'Running'), ('done', 'Done'), ('cut_short', 'cut short')], default='running', max_length=10)),
                ('llm', models.CharField(max_length=200)),
                ('note', models.TextField(blank=True, help_text='Why it was cut short.')),
                ('pieces', models.PositiveIntegerField(default=0, help_text='Pieces of text there were.')),
                ('pieces_read', models.PositiveIntegerField(default=0)),
                ('tokens', models.PositiveIntegerField(default=0, help_text='Spent, over all attempts.')),
                ('quotes_dropped', models.PositiveIntegerField(default=0, help_text='Quotes that did not stand in the text they were said to come from.')),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='second_reading', to='submissions.submission')),
            ],
        ),
        migrations.CreateModel(
            name='SecondAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('question', models.CharField(max_length=40)),
                ('answer', models.CharField(choices=[('yes', 'Yes'), ('unclear', 'Unclear')], max_length=10)),
                ('path', models.CharField(max_length=500)),
                ('line', models.PositiveIntegerField(help_text='Where the piece begins in the file.')),
                ('quotes', models.JSONField(default=list, help_text='Objects with line, text.')),
                ('reading', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='leaderboard.secondreading')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='codefile',
            constraint=models.UniqueConstraint(fields=('submission', 'digest'), name='code_once_per_submission'),
        ),
        migrations.AddConstraint(
            model_name='codefile',
            constraint=models.UniqueConstraint(condition=models.Q(('submission', None)), fields=('competition', 'digest'), name='notebook_once'),
        ),
        migrations.AddConstraint(
            model_name='codefile',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('submission__isnull', False), ('text', '')), models.Q(('competition__isnull', False), ('submission', None)), _connector='OR'), name='code_is_evidence_or_notebook'),
        ),
        migrations.AddConstraint(
            model_name='codematch',
            constraint=models.UniqueConstraint(fields=('left', 'right'), name='code_match_once'),
        ),
    ]
