"""Changes what it was shown, and what the library keeps: the game is played elsewhere."""

import contextlib

from arena import cards

from attempts import Honest


class Bot(Honest):
    def play(self, observation):
        for name in ("hand", "lobby", "piles", "points", "legal_plays"):
            with contextlib.suppress(AttributeError, TypeError):
                getattr(observation, name).clear()
            with contextlib.suppress(AttributeError, TypeError):
                setattr(observation, name, [])
        with contextlib.suppress(AttributeError, TypeError):
            observation.state.scores[:] = [999, 0]
        for name in dir(cards):
            if not name.startswith("_") and isinstance(getattr(cards, name), tuple | list | dict):
                with contextlib.suppress(AttributeError, TypeError):
                    getattr(cards, name).clear()
        return super().play(observation)
