"""Ends with the exit status by which the runner tells that memory ran out, or with others that mean something."""

import os

WAY = 0


class Bot:
    def play(self, observation):
        os._exit(WAY)
