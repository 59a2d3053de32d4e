from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0002_worker"),
    ]

    operations = [
        migrations.AddField(
            model_name="log",
            name="printed",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="where in the output that of each decision begins: [game, decision, start]",
            ),
        ),
    ]
