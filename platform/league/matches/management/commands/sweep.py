from typing import Any

from league.bots import services as bots
from league.commands import TablesCommand
from league.matches import services


class Command(TablesCommand):
    help = "Requeue what lost its worker and ring for what waits, as beat does every 10 s."

    def handle(self, *_: Any, **__: Any) -> None:
        checks, matches = bots.sweep(), services.sweep()
        self.stdout.write(f"{checks} checks and {'at least ' * (matches >= 32)}{matches} matches wait")
