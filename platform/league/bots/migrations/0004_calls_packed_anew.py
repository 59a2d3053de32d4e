from django.db import migrations


class Migration(migrations.Migration):
    """What is stored of single calls was packed in another way, and can't be read any more."""

    dependencies = [("bots", "0003_used")]

    operations = [
        migrations.RunSQL("UPDATE bots_report SET calls = NULL", migrations.RunSQL.noop),
        migrations.RunSQL("UPDATE bots_trial SET calls = NULL", migrations.RunSQL.noop),
    ]
