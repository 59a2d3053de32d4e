"""A ladder of bots that wait more than they think, on the platform whose environment this process has."""

from benchmarks.scale import BOTS, WAIT_S
from league.accounts.models import User
from league.bots import services as bots
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament

SOURCE = f"""import time


class Bot:
    game = 0

    def play(self, observation):
        if observation.game != self.game:
            self.game = observation.game
            time.sleep({WAIT_S})
        return observation.legal_plays[0]
"""


def main(legs: int) -> None:
    """Upload them; as they pass their checks, each pair gets so many matches."""
    Tournament.objects.filter(pk=tournaments.ladder().pk).update(legs=legs)
    author = User.objects.create(username="waits", bots_allowed=BOTS)
    for number in range(1, BOTS + 1):
        bots.submit(author, f"waits-{number}", "bot.py", SOURCE.encode())
