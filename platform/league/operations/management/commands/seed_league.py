import time
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from league.commands import TablesCommand
from league.operations import seeding
from league.standings import services as standings
from league.tournaments import services as tournaments


class Command(TablesCommand):
    help = "Fill the database with plausible authors, bots and results, and with some real replays."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--bots", type=int, default=1_000, help="default: 1000")
        parser.add_argument("--matches", type=int, default=100_000, help="default: 100000")
        parser.add_argument("--replays", type=int, default=300, help="matches that can be watched; default: 300")
        parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same league; default: 1")
        parser.add_argument("--force", action="store_true", help="add to a database that holds users' data")

    def handle(self, *_: Any, bots: int, matches: int, replays: int, seed: int, force: bool, **__: Any) -> None:
        if min(bots - 2, matches, replays) < 0:
            raise CommandError("expected at least 2 bots, and no negative numbers of matches and replays")
        if seeding.has_users() and not force:
            raise CommandError(
                "this database holds users' accounts or bots, which would be mixed with made-up ones: "
                "choose another (ARENA_HOME, DATABASE_URL), or add to it with --force"
            )
        began = time.monotonic()
        try:
            made = seeding.fill(seed, bots, matches, replays, timezone.now())
        except seeding.TooFewPairs as error:
            raise CommandError(f"{error}: ask for more bots or fewer matches") from None
        self.stdout.write(str(made))
        self.stdout.write(f"made in {time.monotonic() - began:.0f} s")
        self._compute_the_table()
        self.stdout.write(f"nobody has a password: manage.py changepassword {made.author}")

    def _compute_the_table(self) -> None:
        ladder = tournaments.ladder()
        began = time.monotonic()
        if not standings.refresh(ladder):
            raise CommandError(f"the table could not be computed: {ladder.table.error}")
        self.stdout.write(f"table computed in {time.monotonic() - began:.1f} s")
