import django.db.models.deletion
from django.db import migrations, models

import league.matches.models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0010_worker_suspects"),
        ("tournaments", "0003_season_bots_per_user"),
    ]

    operations = [
        # What is stored of single calls is packed in another way from now on, and can't be read any more.
        migrations.RunSQL("UPDATE matches_log SET calls = NULL", migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="log",
            name="match",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="logs", to="matches.match"
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="games",
            field=league.matches.models.RowsField(
                default=list, help_text="a row a game: [dealer, points A, points B, rounds]"
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="tournament",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="matches",
                to="tournaments.tournament",
            ),
        ),
    ]
