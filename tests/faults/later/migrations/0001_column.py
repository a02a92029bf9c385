from django.db import migrations


class Migration(migrations.Migration):
    """As migrations here have to be: the code before it goes on, since the database fills the column by itself."""

    dependencies = [("grading", "0003_blob_by_digest")]
    operations = [
        migrations.RunSQL(
            "ALTER TABLE grading_grading ADD COLUMN later varchar(20) NOT NULL DEFAULT ''",
            "ALTER TABLE grading_grading DROP COLUMN later",
        )
    ]
