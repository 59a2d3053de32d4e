"""Puts the longest match that the rules allow into the database, and says where its last game is.

`benchmarks.server` runs it in a process of its own. Three decks and two players who pass, and lead one card when the
piles are empty: each of the 156 cards has a round of its own, which is 468 actions beside the deal.
"""

import json
import sys
from typing import Any

from arena import replay
from arena.match import play
from arena.players import LocalPlayer
from arena.ruleset import Ruleset, TimeControl
from league.matches.models import Match, Replay


class Passer:
    def play(self, observation: Any) -> Any:
        plays = observation.legal_plays
        return () if () in plays else min(plays, key=len)


def main() -> None:
    """Print it as JSON."""
    record = play((LocalPlayer(Passer), LocalPlayer(Passer)), Ruleset(decks=3), TimeControl(), seed=1)
    for game in record.games:
        game.times[:] = range(len(game.times))  # each decision with a time of its own
    encoded = replay.encode(record)
    match = Match.objects.filter(status=Match.Status.PLAYED, replay__isnull=False).order_by("pk")[0]
    stored = {"format": encoded.format, "codec": encoded.codec, "sha256": encoded.sha256, "data": encoded.data}
    Replay.objects.filter(match=match).update(**stored)
    games = [[game.dealer, *game.points, game.rounds] for game in record.games]
    Match.objects.filter(pk=match.pk).update(games=games)
    json.dump({"path": f"/matches/{match.pk}/games/{len(games)}/"}, sys.stdout)
