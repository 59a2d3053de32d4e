import django.db.models.deletion
import league.matches.models
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0003_used"),
        ("matches", "0009_checking"),
        ("tournaments", "0003_season_bots_per_user"),
    ]

    operations = [
        # How long each call of a bot took is packed in another way from now on; what is stored can't be read that way.
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
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("finished_at", None)),
                fields=["status", "version_a", "version_b"],
                name="match_unfinished_of_a",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("finished_at", None)),
                fields=["status", "version_b", "version_a"],
                name="match_unfinished_of_b",
            ),
        ),
    ]
