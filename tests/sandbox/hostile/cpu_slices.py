"""Stays under the limit of each decision, and burns the bank in slices."""

import time


class Bot:
    def play(self, observation):
        end = time.process_time() + 0.1
        while time.process_time() < end:
            pass
        return observation.hand[:1] if not observation.lobby else []
