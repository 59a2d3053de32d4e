"""Answers twice."""

import os


class Bot:
    def play(self, observation):
        os.write(4, b'{"cards":[],"id":1}\n{"cards":[],"id":2}\n{"cards":[],"id":3}\n')
        return []
