from typing import Any

from django.core.management.base import CommandError

from league.commands import TablesCommand
from league.matches.models import Match, Replay
from league.matches.verification import difference


class Command(TablesCommand):
    help = "Play every stored game again with the engine; exit code 1 if one differs from its record."

    def handle(self, *_: Any, **__: Any) -> None:
        bad = games = matches = 0
        stored = Replay.objects.select_related("match").order_by("match_id")
        for replay in stored.iterator(chunk_size=200):
            matches += 1
            games += len(replay.match.games)
            if found := difference(replay):
                bad += 1
                self.stderr.write(f"match {replay.match_id}: {found}")
        for match in Match.objects.filter(status=Match.Status.PLAYED, replay=None).order_by("id"):
            bad += 1
            self.stderr.write(f"match {match.pk}: it was played, and has no replay")
        if bad:
            raise CommandError(f"{bad} of {matches} matches are not as their replays say")
        self.stdout.write(f"{games} games of {matches} matches played again: all equal")
