"""The audit log. The database itself refuses to change a line; deleting old ones is retention's work."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TABLE = "leaderboard_auditrecord"
REFUSE = {
    "sqlite": [
        f"CREATE TRIGGER audit_unchanged BEFORE UPDATE ON {TABLE} "
        "BEGIN SELECT RAISE(ABORT, 'the audit log is never changed'); END"
    ],
    "postgresql": [
        "CREATE FUNCTION audit_unchanged() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the audit log is never changed'; END $$",
        f"CREATE TRIGGER audit_unchanged BEFORE UPDATE ON {TABLE} "
        "FOR EACH ROW EXECUTE FUNCTION audit_unchanged()",
    ],
}
ALLOW = {
    "sqlite": ["DROP TRIGGER audit_unchanged"],
    "postgresql": [f"DROP TRIGGER audit_unchanged ON {TABLE}", "DROP FUNCTION audit_unchanged()"],
}


def refuse_changes(apps, schema_editor):
    for statement in REFUSE[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)


def allow_changes(apps, schema_editor):
    for statement in ALLOW[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)


def person(help_text):
    return models.ForeignKey(
        blank=True,
        db_constraint=False,
        help_text=help_text,
        null=True,
        on_delete=django.db.models.deletion.DO_NOTHING,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
    )


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0015_parked"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="AuditRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(db_index=True)),
                (
                    "act",
                    models.CharField(
                        db_index=True, help_text="Of leaderboard.audit.acts.Act.", max_length=30
                    ),
                ),
                ("what", models.CharField(blank=True, max_length=200)),
                ("address", models.GenericIPAddressField(blank=True, null=True)),
                ("detail", models.JSONField(blank=True, default=dict)),
                (
                    "account",
                    person("Whose account, rights or membership it is about."),
                ),
                (
                    "actor",
                    person("Who did it; empty for a visitor who is not signed in, a command or a worker."),
                ),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.RunPython(refuse_changes, allow_changes),
    ]
