from django.db import migrations, models


class Migration(migrations.Migration):
    """For all statuses: SQLite can't use an index with a condition where the query's values are parameters."""

    dependencies = [
        ("matches", "0003_log_printed"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="match", name="match_unfinished"),
        migrations.AddIndex(model_name="match", index=models.Index(fields=["status", "id"], name="match_by_status")),
    ]
