"""Closes its end of the match, and lives on."""

import os
import time


class Bot:
    def play(self, observation):
        os.close(3)
        time.sleep(60)
