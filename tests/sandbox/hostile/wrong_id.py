"""Answers another question than the one asked."""

import os
import time


class Bot:
    def play(self, observation):
        os.write(4, b'{"cards":[],"id":77}\n')
        time.sleep(60)
