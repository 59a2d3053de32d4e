"""Passes its check and imports what is not there only in the middle of a game."""


class Bot:
    asked = 0

    def play(self, observation):
        self.asked += 1
        if self.asked == 3:
            import arena_does_not_exist  # noqa: F401
        return observation.hand[:1] if not observation.lobby else []
