"""Prints warnings and lines without an end, to both streams, for ever."""

import os
import sys


class Bot:
    def play(self, observation):
        while True:
            sys.stderr.write("a warning \r")
            os.write(1, b"\xff\xfe\0" * 1_000)
