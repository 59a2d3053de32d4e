from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("standings", "0003_ratings"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="took_s",
            field=models.FloatField(db_default=0.0, default=0.0, help_text="seconds that it took"),
        ),
        migrations.AddField(
            model_name="table",
            name="tried_at",
            field=models.DateTimeField(help_text="when the last computation ended, well or not", null=True),
        ),
    ]
