"""A worker without a broker: plays what is queued until nothing is, and says what became of it.

Arguments: the launcher's name, and the folder of unpacked uploads. It says who owns its sandboxes, and then when the
first game of each match has ended.
"""

import sys
from pathlib import Path

import django

django.setup()

import sandbox  # noqa: E402
from league.matches import holder, playing, services  # noqa: E402
from league.matches.boxes import Boxes  # noqa: E402
from league.matches.models import Match  # noqa: E402
from sandbox.owner import owner  # noqa: E402


def say(*words: object) -> None:
    print(*words, flush=True)


def extend(match: Match, games_done: int) -> bool:
    held = held_longer(match, games_done)
    if games_done == 1:
        say("first game")
    return held


held_longer = services.extend
services.extend = extend
playing.EXTEND_EVERY_S = 0.0
boxes = Boxes(sandbox.open_launcher(sys.argv[1]), 3, Path(sys.argv[2]))
say(owner())
while match := services.claim(holder.name()):
    say("recorded" if playing.play(match, boxes) else "not recorded")
boxes.close()
