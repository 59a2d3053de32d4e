"""Takes nearly the limit for each decision, so that only the bank can stop it."""

import time


class Bot:
    def play(self, observation):
        end = time.process_time() + 0.27
        while time.process_time() < end:
            pass
        return observation.hand[:1] if not observation.lobby else []
