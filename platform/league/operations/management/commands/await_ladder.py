import time
from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.commands import TablesCommand
from league.operations import round_robin

POLL_S = 0.5


class Command(TablesCommand):
    help = "Wait until every pair of the ladder is played; exit code 0 only if each pair of house bots has its match."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--timeout", type=float, default=900.0, metavar="SECONDS", help="default: 900")

    def handle(self, *_: Any, timeout: float, **__: Any) -> None:
        ends = time.monotonic() + timeout
        shown = ""
        while not (now := round_robin.progress()).done or not (now.played or now.failed):
            if str(now) != shown:
                self.stdout.write(shown := str(now))
            if time.monotonic() > ends:
                raise CommandError(f"after {timeout:.0f} s: {now}")
            time.sleep(POLL_S)
        if missing := round_robin.holes():
            raise CommandError("the round robin has holes:\n  " + "\n  ".join(missing))
        self.stdout.write(f"{now}: every pair of house bots has its match")
