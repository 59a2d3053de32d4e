"""Answers twice."""

import os


class Bot:
    def play(self, observation):
        os.write(3, b'{"cards":[],"id":1}\n{"cards":[],"id":2}\n{"cards":[],"id":3}\n')
        return []
