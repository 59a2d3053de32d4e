"""What `benchmarks.league` asks the platform's own code to do, in processes of their own."""

import sys

import django

django.setup()

from league.accounts.models import User  # noqa: E402
from league.bots import services as bots  # noqa: E402
from league.bots.models import Source  # noqa: E402
from league.matches.models import Match  # noqa: E402

SOURCES = (
    """
class Bot:
    def play(self, observation):
        return next(iter(observation.legal_plays), ())
""",
    """
class Bot:
    def play(self, observation):
        plays = list(observation.legal_plays)
        return plays[-1] if plays else ()
""",
)
"""Lay the first play that there is, or the last."""


def upload(count: int) -> None:
    """Submit so many trivial bots, as by the form."""
    author = User.objects.create(username="author", bots_allowed=count)
    for number in range(count):
        source = f"# number {number}\n{SOURCES[number % 2]}"
        bots.submit(author, f"trivial {number}", "bot.py", source.encode())


def make_trivial() -> None:
    """Let the seeded bots play trivially, and leave no match of theirs to be played."""
    Source.objects.update(content=SOURCES[0].encode())
    Match.objects.queued().delete()


if __name__ == "__main__":
    name, *numbers = sys.argv[1:]
    if name == "upload":
        upload(int(*numbers))
    else:
        make_trivial()
