from django.db import migrations, models

from league.indexes import AddIndexWhileUsed


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("matches", "0011_in_less_room")]

    operations = [
        AddIndexWhileUsed(
            model_name="match",
            index=models.Index(
                condition=models.Q(finished_at=None),
                fields=["status", f"version_{one}", f"version_{other}"],
                name=f"match_unfinished_of_{one}",
            ),
        )
        for one, other in ("ab", "ba")
    ]
