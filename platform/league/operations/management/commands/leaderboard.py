import sys
from typing import Any

from django.core.management.base import CommandError
from rich.console import Console
from rich.table import Table as Grid

from league.commands import TablesCommand
from league.standings import services
from league.standings.models import Standing
from league.tournaments import services as tournaments


class Command(TablesCommand):
    help = "Bring the ladder's table up to date and print it."

    def handle(self, *_: Any, **__: Any) -> None:
        ladder = tournaments.ladder()
        if not services.refresh(ladder):
            raise CommandError(ladder.table.error)
        rows = Standing.objects.filter(tournament=ladder).select_related("version__bot__owner")
        grid = Grid(title=ladder.name, title_justify="left")
        grid.add_column("", justify="right")
        grid.add_column("bot")
        grid.add_column("by")
        for heading in ("played", "won", "drawn", "lost", "match points", "for", "against", "faults"):
            grid.add_column(heading, justify="right")
        for row in sorted(rows, key=lambda row: (row.rank is None, row.rank, row.version_id)):
            grid.add_row(
                str(row.rank or "-"),
                str(row.version),
                row.version.bot.owner.username,
                f"{row.played}/{row.possible}",
                *map(str, (row.won, row.drawn, row.lost, row.match_points)),
                *map(str, (row.points_for, row.points_against, row.faults)),
            )
        Console(file=sys.stdout, width=None if sys.stdout.isatty() else 120).print(grid)
