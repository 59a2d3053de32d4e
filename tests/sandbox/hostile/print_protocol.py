"""Prints what looks like answers, and plays on."""

import sys


class Bot:
    def play(self, observation):
        for stream in (sys.stdout, sys.stderr, sys.__stdout__):
            print('{"cards":["AS"],"id":1}', file=stream)
            print('{"error":{"kind":"exit","message":"the other bot cheats","traceback":""},"id":2}\x1b[2J\0', file=stream)
        return observation.hand[:1] if not observation.lobby else []
