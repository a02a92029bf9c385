import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Competition',
            fields=[
                ('id', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=200)),
                ('category', models.CharField(max_length=100)),
                ('metric', models.CharField(max_length=200)),
                ('metric_family', models.CharField(max_length=60)),
                ('lower_is_better', models.BooleanField()),
                ('closed_on', models.DateField(blank=True, null=True)),
                ('kaggle_url', models.URLField(blank=True)),
                ('validity', models.JSONField(default=list, help_text='Sentences for people.')),
                ('known_issues', models.JSONField(default=list, help_text='Objects with kind, summary, source.')),
                ('file_digest', models.CharField(help_text='SHA-256 of the competition file.', max_length=64)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='GradingHost',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, unique=True)),
                ('is_isolated', models.BooleanField()),
                ('mode', models.CharField(blank=True, max_length=20)),
                ('sandbox_version', models.CharField(blank=True, max_length=60)),
                ('sandbox_path', models.CharField(blank=True, max_length=250)),
                ('probes', models.JSONField(default=list, help_text='Names of the probes that held.')),
                ('reason', models.TextField(blank=True, help_text='Why isolation could not be had, and how to mend it.')),
                ('grader_version', models.CharField(blank=True, max_length=40)),
                ('checked_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('realm', models.CharField(max_length=64)),
                ('sha256', models.CharField(max_length=64)),
                ('size', models.PositiveBigIntegerField()),
                ('key', models.CharField(max_length=250, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('realm', 'sha256'), name='blob_once_per_realm')],
            },
        ),
        migrations.CreateModel(
            name='AnswersVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('rows', models.PositiveBigIntegerField()),
                ('hmac', models.CharField(help_text='HMAC-SHA256 under a key of the vault; no plain digest.', max_length=64)),
                ('shape_key', models.CharField(help_text='Where the label-free outline is stored.', max_length=200)),
                ('loaded_at', models.DateTimeField(auto_now_add=True)),
                ('competition', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='grading.competition')),
            ],
            options={
                'ordering': ['competition_id', 'number'],
                'constraints': [models.UniqueConstraint(fields=('competition', 'number'), name='answers_number_once')],
            },
        ),
        migrations.CreateModel(
            name='ThresholdsVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('gold', models.FloatField()),
                ('silver', models.FloatField()),
                ('bronze', models.FloatField()),
                ('median', models.FloatField()),
                ('exact', models.BooleanField(help_text='False where the cut-offs come from a table rounded to 5 decimals.')),
                ('num_teams', models.PositiveIntegerField(blank=True, null=True)),
                ('source', models.TextField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('competition', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='thresholds', to='grading.competition')),
            ],
            options={
                'ordering': ['competition_id', 'number'],
                'constraints': [models.UniqueConstraint(fields=('competition', 'number'), name='thresholds_number_once')],
            },
        ),
        migrations.CreateModel(
            name='Grading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('grader_version', models.CharField(help_text='The version this was asked for.', max_length=40)),
                ('graded_with', models.CharField(blank=True, help_text='The version that ran.', max_length=40)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done')], default='queued', max_length=10)),
                ('not_before', models.DateTimeField()),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('fencing_token', models.PositiveIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('outcome', models.CharField(blank=True, choices=[('scored', 'Scored'), ('invalid', 'Invalid'), ('grader_error', 'grader error'), ('timed_out', 'timed out'), ('out_of_memory', 'out of memory')], max_length=15)),
                ('score', models.FloatField(blank=True, help_text='Rounded to 5 decimals.', null=True)),
                ('code', models.CharField(blank=True, max_length=60)),
                ('message', models.TextField(blank=True)),
                ('wall_s', models.FloatField(blank=True, null=True)),
                ('peak_memory_mb', models.FloatField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('graded_at', models.DateTimeField(blank=True, null=True)),
                ('answers', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='grading.answersversion')),
                ('blob', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gradings', to='grading.blob')),
                ('competition', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gradings', to='grading.competition')),
                ('rung_at', models.DateTimeField(blank=True, help_text='When the sweep last rang for it.', null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['state', 'not_before'], name='grading_gra_state_d120b6_idx'), models.Index(fields=['state', 'lease_until'], name='grading_gra_state_ae4392_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done'])), name='grading_state_known'), models.CheckConstraint(condition=models.Q(('outcome__in', ['scored', 'invalid', 'grader_error', 'timed_out', 'out_of_memory', ''])), name='grading_outcome_known'), models.UniqueConstraint(fields=('blob', 'competition', 'answers', 'grader_version'), name='grading_once'), models.UniqueConstraint(condition=models.Q(('answers', None)), fields=('blob', 'competition', 'grader_version'), name='grading_without_answers_once'), models.CheckConstraint(condition=models.Q(models.Q(('graded_at__isnull', False), ('state', 'done'), models.Q(('outcome', ''), _negated=True)), models.Q(models.Q(('state', 'done'), _negated=True), ('outcome', ''), ('score', None)), _connector='OR'), name='grading_done_has_outcome'), models.CheckConstraint(condition=models.Q(models.Q(('outcome', 'scored'), ('score__isnull', False)), models.Q(models.Q(('outcome', 'scored'), _negated=True), ('score', None)), _connector='OR'), name='grading_score_iff_scored')],
            },
        ),
        migrations.CreateModel(
            name='Ring',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.CharField(max_length=100)),
                ('argument', models.CharField(max_length=64)),
                ('grading', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rings', to='grading.grading')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('grading', 'task', 'argument'), name='ring_once')],
            },
        ),
        migrations.CreateModel(
            name='Benchmark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(unique=True)),
                ('title', models.CharField(max_length=200)),
                ('description', models.TextField(blank=True)),
                ('answers_public', models.BooleanField(default=False, help_text='Anyone can look the answers up, so a score proves nothing but the machinery.')),
                ('position', models.PositiveSmallIntegerField(default=0, help_text='Order in the chooser; the lowest is the default.')),
            ],
            options={
                'ordering': ['position', 'slug'],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('split', models.CharField(choices=[('low', 'Low'), ('medium', 'Medium'), ('high', 'High'), ('dev', 'Dev')], max_length=10)),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='grading.benchmark')),
                ('competition', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='grading.competition')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('benchmark', 'competition'), name='competition_once_per_benchmark'), models.CheckConstraint(condition=models.Q(('split__in', ['low', 'medium', 'high', 'dev'])), name='membership_split_known')],
            },
        ),
        migrations.AddField(
            model_name='Benchmark',
            name='competitions',
            field=models.ManyToManyField(related_name='benchmarks', through='grading.Membership', to='grading.competition'),
        ),
    ]
