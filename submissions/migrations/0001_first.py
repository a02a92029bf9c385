import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('grading', '0001_first'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('email', models.EmailField(max_length=254, unique=True)),
                ('is_maintainer', models.BooleanField(default=False)),
                ('public_name', models.CharField(blank=True, help_text='Shown beside decisions.', max_length=80)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('is_maintainer', False), models.Q(('public_name', ''), _negated=True), _connector='OR'), name='maintainer_has_public_name')],
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Organisation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, unique=True)),
                ('slug', models.SlugField(max_length=120, unique=True)),
                ('url', models.URLField(blank=True)),
                ('verified_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('verified_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('verified_at', None), ('verified_by', None)), models.Q(('verified_at__isnull', False), ('verified_by__isnull', False)), _connector='OR'), name='organisation_verified_by_someone')],
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='teams', to='submissions.organisation')),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('organisation', 'name'), name='team_once_per_organisation')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('secret_digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('accepted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='submissions.team')),
            ],
        ),
        migrations.CreateModel(
            name='TeamMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('member', 'Member')], default='member', max_length=10)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='submissions.team')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='team_memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('team', 'user'), name='member_once_per_team'), models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'member'])), name='member_role_known')],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('creation_key', models.UUIDField(default=uuid.uuid4, help_text='Chosen by the client; sending the same twice creates one submission.')),
                ('status', models.CharField(choices=[('uploading', 'Uploading'), ('received', 'Received'), ('checking', 'Checking'), ('awaiting_team', 'awaiting your team'), ('queued', 'Queued'), ('grading', 'Grading'), ('graded', 'Graded'), ('in_review', 'in review'), ('published', 'Published'), ('abandoned', 'Abandoned'), ('rejected', 'Rejected'), ('grading_failed', 'grading failed'), ('withdrawn', 'Withdrawn')], default='uploading', max_length=15)),
                ('problems', models.JSONField(blank=True, default=list, help_text='Objects with code, where, message.')),
                ('lease_until', models.DateTimeField(blank=True, help_text='Of the worker that checks the bundle.', null=True)),
                ('fencing_token', models.PositiveIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('scope', models.CharField(blank=True, choices=[('low', 'Low (Lite)'), ('medium', 'Medium'), ('high', 'High'), ('all', 'All'), ('dev', 'Dev')], max_length=10)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('attested_name', models.CharField(blank=True, max_length=120)),
                ('held_at', models.DateTimeField(blank=True, help_text='Received while submissions were closed.', null=True)),
                ('question_open_at', models.DateTimeField(blank=True, null=True)),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='grading.benchmark')),
                ('confirmed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('supersedes', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded_by', to='submissions.submission')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='submissions.team')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
                'indexes': [models.Index(fields=['status', 'lease_until'], name='submissions_status_6c10e6_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['uploading', 'received', 'checking', 'awaiting_team', 'queued', 'grading', 'graded', 'in_review', 'published', 'abandoned', 'rejected', 'grading_failed', 'withdrawn'])), name='submission_status_known'), models.CheckConstraint(condition=models.Q(('scope__in', ['low', 'medium', 'high', 'all', 'dev', ''])), name='submission_scope_known'), models.UniqueConstraint(fields=('team', 'creation_key'), name='submission_created_once')],
            },
        ),
        migrations.CreateModel(
            name='Bundle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64)),
                ('size', models.PositiveBigIntegerField()),
                ('format', models.CharField(max_length=10)),
                ('ignored', models.JSONField(default=list, help_text='Objects with path, reason.')),
                ('claimed_report', models.JSONField(blank=True, help_text="The team's own grading report.", null=True)),
                ('read_at', models.DateTimeField(auto_now_add=True)),
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='bundle', to='submissions.submission')),
            ],
        ),
        migrations.CreateModel(
            name='RunCardRevision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('document', models.JSONField()),
                ('digest', models.CharField(help_text='SHA-256 of the canonical document.', max_length=64)),
                ('difference', models.JSONField(default=list, help_text='Objects with path, before, after.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('author', models.ForeignKey(blank=True, help_text='Empty where intake read it from the bundle.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='run_cards', to='submissions.submission')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('submission', 'number'), name='run_card_number_once')],
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('folder', models.CharField(help_text='The seed or run group as the bundle names it.', max_length=64)),
                ('seed', models.CharField(help_text='The folder, or what the run card maps it to.', max_length=100)),
                ('checkpoint_hours', models.FloatField(blank=True, null=True)),
                ('blob', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='grading.blob')),
                ('competition', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='grading.competition')),
                ('grading', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='grading.grading')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='submissions.submission')),
            ],
            options={
                'ordering': ['seed', 'competition_id', 'checkpoint_hours'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('checkpoint_hours', None)), fields=('submission', 'seed', 'competition'), name='run_once_per_seed_and_competition'), models.UniqueConstraint(fields=('submission', 'seed', 'competition', 'checkpoint_hours'), name='checkpoint_once')],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('before', models.CharField(blank=True, max_length=15)),
                ('after', models.CharField(blank=True, max_length=15)),
                ('detail', models.JSONField(blank=True, default=dict)),
                ('effective_at', models.DateTimeField()),
                ('recorded_at', models.DateTimeField(auto_now_add=True)),
                ('actor', models.ForeignKey(blank=True, help_text='Empty where the system itself did it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='submissions.submission')),
            ],
            options={
                'ordering': ['recorded_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('filename', models.CharField(help_text='As the browser named it; shown, never used as a path.', max_length=255)),
                ('size', models.PositiveBigIntegerField()),
                ('part_size', models.PositiveIntegerField()),
                ('key', models.CharField(help_text='Chosen by the server.', max_length=250, unique=True)),
                ('storage_upload_id', models.CharField(blank=True, help_text="The store's own name for it.", max_length=250)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('completed_at', models.DateTimeField(blank=True, null=True)),
                ('expires_at', models.DateTimeField()),
                ('deleted_at', models.DateTimeField(blank=True, help_text='When its bytes were deleted.', null=True)),
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='upload', to='submissions.submission')),
            ],
        ),
        migrations.CreateModel(
            name='EvidenceFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('path', models.CharField(max_length=500)),
                ('seed', models.CharField(max_length=100)),
                ('size', models.PositiveBigIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('key', models.CharField(max_length=250)),
                ('bundle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='evidence', to='submissions.bundle')),
                ('competition', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='grading.competition')),
            ],
        ),
        migrations.CreateModel(
            name='UploadPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('size', models.PositiveIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('stored_at', models.DateTimeField(auto_now_add=True)),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='submissions.upload')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('upload', 'number'), name='part_once_per_upload')],
            },
        ),
        migrations.AddField(
            model_name='Submission',
            name='confirmed_revision',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='submissions.runcardrevision'),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('confirmed_at', None), ('confirmed_revision', None), ('scope', '')), models.Q(('confirmed_at__isnull', False), ('confirmed_revision__isnull', False), models.Q(('scope', ''), _negated=True)), _connector='OR'), name='submission_confirmed_with_scope_and_card'),
        ),
    ]
