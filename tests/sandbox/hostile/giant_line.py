"""Answers with a line that never ends."""

import os


class Bot:
    def play(self, observation):
        while True:
            os.write(4, b"[" * 1_000_000)
