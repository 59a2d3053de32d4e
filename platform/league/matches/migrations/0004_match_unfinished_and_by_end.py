from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0003_log_printed"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="match", name="match_unfinished"),
        migrations.RemoveIndex(model_name="match", name="match_latest"),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("finished_at", None)), fields=["status", "id"], name="match_unfinished"
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["-finished_at", "-id", "status", "termination", "outcome"], name="match_by_end"),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status__in", ["queued", "running"]), _negated=True),
                    ("finished_at", None),
                    _connector="OR",
                ),
                name="match_unfinished_has_no_end",
            ),
        ),
    ]
