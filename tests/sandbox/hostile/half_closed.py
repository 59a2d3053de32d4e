"""Closes one of its two pipes of the match, and lives on."""

import os
import time

WAY = "answers"


class Bot:
    def play(self, observation):
        os.close({"questions": 3, "answers": 4}[WAY])
        if WAY == "answers":
            time.sleep(60)
        return observation.hand[:1] if not observation.lobby else []
