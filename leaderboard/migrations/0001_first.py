import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('grading', '0001_first'),
        ('submissions', '0001_first'),
        ('submissions', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='Agent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('slug', models.SlugField(max_length=220, unique=True)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='agents', to='submissions.organisation')),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('organisation', 'name'), name='agent_once_per_organisation')],
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=60)),
                ('title', models.CharField(max_length=120)),
                ('state', models.CharField(choices=[('declared', 'Declared'), ('machine_checked', 'machine-checked'), ('maintainer_verified', 'maintainer-verified'), ('contradicted', 'Contradicted'), ('undisclosed', 'Undisclosed')], max_length=20)),
                ('severity', models.CharField(help_text='How much it weighs that the claim does not stand.', max_length=10)),
                ('holds', models.BooleanField(help_text='Whether it stands with an answer that the strictest track takes.')),
                ('sentence', models.TextField()),
                ('evidence', models.JSONField(default=dict)),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='submissions.submission')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('submission', 'code'), name='claim_once_per_check')],
            },
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(help_text='SHA-256 of all its rows; the ETag.', max_length=64)),
                ('grader_version', models.CharField(max_length=40)),
                ('built_at', models.DateTimeField()),
                ('is_current', models.BooleanField(default=False)),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='snapshots', to='grading.benchmark')),
            ],
            options={
                'ordering': ['-built_at', '-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('benchmark',), name='one_current_snapshot_per_benchmark')],
            },
        ),
        migrations.CreateModel(
            name='Track',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(unique=True)),
                ('title', models.CharField(max_length=60)),
                ('summary', models.TextField()),
                ('position', models.PositiveSmallIntegerField(help_text='Strictest first.')),
                ('is_ranked', models.BooleanField(default=True)),
                ('is_warned', models.BooleanField(default=False)),
                ('required_checks', models.JSONField(default=list, help_text='Codes of the checks that must hold.')),
                ('accepts', models.JSONField(default=dict, help_text='Check code to the answers the track takes; a check not named takes any.')),
                ('shows_also', models.ManyToManyField(blank=True, help_text='Stricter tracks shown here too.', related_name='shown_on', to='leaderboard.track')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=240, unique=True)),
                ('source', models.CharField(choices=[('graded', 'graded here'), ('imported', 'self-graded, unverified')], max_length=10)),
                ('scope', models.CharField(choices=[('low', 'Low (Lite)'), ('medium', 'Medium'), ('high', 'High'), ('all', 'All'), ('dev', 'Dev')], max_length=10)),
                ('run_on', models.DateField(help_text='Day of the submission; for imported rows the published date.')),
                ('version', models.CharField(blank=True, max_length=200)),
                ('commit', models.CharField(blank=True, max_length=200)),
                ('url', models.URLField(blank=True, max_length=500)),
                ('source_available', models.BooleanField(blank=True, null=True)),
                ('reports_available', models.BooleanField(blank=True, null=True)),
                ('llms', models.JSONField(default=list, help_text='Strings as declared; empty means undisclosed.')),
                ('no_llm', models.BooleanField(default=False, help_text='The team states that no llm was used.')),
                ('hours', models.FloatField(blank=True, null=True)),
                ('vcpus', models.FloatField(blank=True, null=True)),
                ('ram_gb', models.FloatField(blank=True, null=True)),
                ('gpus', models.FloatField(blank=True, null=True)),
                ('gpu_model', models.CharField(blank=True, max_length=200)),
                ('cost_usd', models.FloatField(blank=True, null=True)),
                ('notes', models.TextField(blank=True)),
                ('import_key', models.CharField(blank=True, max_length=120, null=True, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('agent', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='leaderboard.agent')),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='grading.benchmark')),
                ('submission', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entry', to='submissions.submission')),
            ],
            options={
                'verbose_name_plural': 'entries',
                'constraints': [models.CheckConstraint(condition=models.Q(('scope__in', ['low', 'medium', 'high', 'all', 'dev'])), name='entry_scope_known'), models.CheckConstraint(condition=models.Q(models.Q(('source', 'graded'), ('submission__isnull', False)), models.Q(('import_key__isnull', False), ('source', 'imported')), _connector='OR'), name='entry_has_its_origin')],
            },
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('import', 'imported with its placement'), ('publish', 'published on a track'), ('move', 'moved to another track'), ('flag', 'flagged'), ('dismiss', 'flag dismissed'), ('withdraw', 'withdrawn')], max_length=12)),
                ('reason', models.TextField(help_text='Shown in public.')),
                ('rule', models.CharField(help_text='The rule it applies.', max_length=200)),
                ('evidence_url', models.URLField(max_length=500)),
                ('effective_at', models.DateTimeField()),
                ('effective_is_approximate', models.BooleanField(default=False)),
                ('recorded_at', models.DateTimeField()),
                ('previous_hash', models.CharField(blank=True, max_length=64)),
                ('hash', models.CharField(help_text='SHA-256 over this record and the previous hash.', max_length=64, unique=True)),
                ('decided_by', models.ForeignKey(blank=True, help_text='Empty for decisions that were made elsewhere and imported.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to=settings.AUTH_USER_MODEL)),
                ('supersedes', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded_by', to='leaderboard.decision')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='leaderboard.entry')),
                ('track', models.ForeignKey(blank=True, help_text='Where it places the entry; empty where it places nothing.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='leaderboard.track')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('reason', ''), _negated=True), models.Q(('rule', ''), _negated=True), models.Q(('evidence_url', ''), _negated=True)), name='decision_has_grounds'), models.CheckConstraint(condition=models.Q(('kind', 'import'), ('decided_by__isnull', False), _connector='OR'), name='decision_is_somebodys'), models.UniqueConstraint(fields=('previous_hash',), name='decision_chain_does_not_fork')],
            },
        ),
        migrations.CreateModel(
            name='EntryResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('split', models.CharField(choices=[('low', 'Low (Lite)'), ('medium', 'Medium'), ('high', 'High'), ('all', 'All'), ('dev', 'Dev')], max_length=10)),
                ('any_medal_mean', models.FloatField()),
                ('any_medal_sem', models.FloatField(blank=True, help_text='Empty with one seed.', null=True)),
                ('seeds', models.PositiveSmallIntegerField(blank=True, help_text='Empty where it was not published.', null=True)),
                ('gold_mean', models.FloatField(blank=True, null=True)),
                ('silver_mean', models.FloatField(blank=True, null=True)),
                ('bronze_mean', models.FloatField(blank=True, null=True)),
                ('above_median_mean', models.FloatField(blank=True, null=True)),
                ('valid_mean', models.FloatField(blank=True, null=True)),
                ('submitted_mean', models.FloatField(blank=True, null=True)),
                ('padded_runs', models.PositiveIntegerField(blank=True, help_text='Runs of the scope that are missing.', null=True)),
                ('total_runs', models.PositiveIntegerField(blank=True, null=True)),
                ('is_padded', models.BooleanField(default=False)),
                ('per_seed', models.JSONField(default=dict, help_text='Seed label to Any Medal percent.')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='leaderboard.entry')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('entry', 'split'), name='result_once_per_split')],
            },
        ),
        migrations.CreateModel(
            name='EntryRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.CharField(max_length=100)),
                ('split', models.CharField(choices=[('low', 'Low (Lite)'), ('medium', 'Medium'), ('high', 'High'), ('dev', 'Dev')], max_length=10)),
                ('outcome', models.CharField(choices=[('scored', 'Scored'), ('invalid', 'Invalid'), ('missing', 'Missing'), ('grader_error', 'grader error'), ('timed_out', 'timed out'), ('out_of_memory', 'out of memory')], max_length=15)),
                ('score', models.FloatField(blank=True, null=True)),
                ('medal', models.CharField(choices=[('gold', 'gold'), ('silver', 'silver'), ('bronze', 'bronze'), ('none', 'none')], max_length=10)),
                ('above_median', models.BooleanField(default=False)),
                ('near_cutoff', models.BooleanField(default=False, help_text='Within 1e-5 of a cut-off that is itself rounded.')),
                ('missing_reason', models.CharField(blank=True, max_length=40)),
                ('message', models.TextField(blank=True)),
                ('competition', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.competition')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='leaderboard.entry')),
                ('grading', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.grading')),
                ('thresholds', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.thresholdsversion')),
            ],
            options={
                'ordering': ['competition_id', 'seed'],
                'constraints': [models.CheckConstraint(condition=models.Q(('medal__in', ['gold', 'silver', 'bronze', 'none'])), name='entry_run_medal_known'), models.UniqueConstraint(fields=('entry', 'seed', 'competition'), name='entry_run_once'), models.CheckConstraint(condition=models.Q(models.Q(('grading', None), ('outcome', 'missing')), models.Q(models.Q(('outcome', 'missing'), _negated=True), ('grading__isnull', False)), _connector='OR'), name='entry_run_missing_iff_no_grading')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('track', models.SlugField()),
                ('split', models.CharField(choices=[('low', 'Low (Lite)'), ('medium', 'Medium'), ('high', 'High'), ('all', 'All'), ('dev', 'Dev')], max_length=10)),
                ('position', models.PositiveIntegerField(help_text='Order on the board, from 1, without gaps.')),
                ('rank', models.PositiveIntegerField(blank=True, help_text='Shared by equals; empty where unranked.', null=True)),
                ('row', models.JSONField(help_text='All that pages, CSV and API show of it.')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='leaderboard.entry')),
                ('snapshot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='leaderboard.snapshot')),
            ],
            options={
                'ordering': ['position'],
                'constraints': [models.UniqueConstraint(fields=('snapshot', 'track', 'split', 'position'), name='position_once'), models.UniqueConstraint(fields=('snapshot', 'track', 'split', 'entry'), name='entry_once_per_board')],
            },
        ),
        migrations.CreateModel(
            name='Flag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('rule', models.CharField(max_length=200)),
                ('evidence_url', models.URLField(max_length=500)),
                ('state', models.CharField(choices=[('open', 'Open'), ('upheld', 'Upheld'), ('dismissed', 'Dismissed')], default='open', max_length=10)),
                ('raised_at', models.DateTimeField(auto_now_add=True)),
                ('decision', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='flags', to='leaderboard.decision')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='flags', to='leaderboard.entry')),
                ('raised_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-raised_at'],
            },
        ),
        migrations.CreateModel(
            name='Placement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('effective_at', models.DateTimeField()),
                ('recorded_at', models.DateTimeField(auto_now_add=True)),
                ('decision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placements', to='leaderboard.decision')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placements', to='leaderboard.entry')),
                ('track', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placements', to='leaderboard.track')),
            ],
            options={
                'ordering': ['effective_at', 'pk'],
            },
        ),
    ]
