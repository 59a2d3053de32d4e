"""Answers a byte at a time, with pauses of CPU time and sleep between them, each below what is noticed."""

import os
import time


class Bot:
    asked = 0

    def play(self, observation):
        self.asked += 1
        for byte in b'{"cards":[],"id":%d}' % self.asked + b" " * 10_000:
            os.write(4, bytes([byte]))
            time.sleep(0.005)
        return []
