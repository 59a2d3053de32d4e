from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0009_checking"),
    ]

    operations = [
        migrations.AddField(
            model_name="worker",
            name="suspects",
            field=models.JSONField(help_text="uploads that had a part in each of the faults in a row", null=True),
        ),
    ]
