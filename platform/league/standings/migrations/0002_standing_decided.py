from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def have_tables_computed_anew(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Leave every table behind its tournament: rows from before say nothing of ties, and may be ordered otherwise."""
    apps.get_model("tournaments", "Tournament").objects.update(revision=F("revision") + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("standings", "0001_initial"),
        ("tournaments", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="standing",
            name="sonneborn_berger",
            field=models.FloatField(default=0, help_text="match points of those beaten, and half of those drawn with"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="standing",
            name="decided",
            field=models.CharField(
                blank=True,
                choices=[
                    ("match points", "match points"),
                    ("direct encounter", "direct encounter"),
                    ("Sonneborn-Berger", "Sonneborn-Berger"),
                    ("difference of points", "difference of points"),
                    ("shared", "shared"),
                ],
                default="",
                help_text="empty in the first row, and before the first match",
                max_length=20,
            ),
            preserve_default=False,
        ),
        migrations.RunPython(have_tables_computed_anew, migrations.RunPython.noop),
    ]
