"""Closes its ends of the match, and lives on."""

import os
import time


class Bot:
    def play(self, observation):
        os.closerange(3, 5)
        time.sleep(60)
