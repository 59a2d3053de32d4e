"""Answers with a hundred megabytes and no end of line."""

import os


class Bot:
    def play(self, observation):
        block = b"x" * 65_536
        for _ in range(1_600):
            os.write(4, block)
        return []
