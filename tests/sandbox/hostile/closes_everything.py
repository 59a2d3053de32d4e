"""Closes all descriptors, the one to the worker among them, and goes on."""

import os


class Bot:
    def play(self, observation):
        os.closerange(0, 4_096)
        while True:
            pass
