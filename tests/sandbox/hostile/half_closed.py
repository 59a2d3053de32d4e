"""Closes the match's socket in one direction, and lives on."""

import os
import socket
import time

WAY = "answers"


class Bot:
    def play(self, observation):
        match = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=os.dup(3))
        match.shutdown({"answers": socket.SHUT_WR, "questions": socket.SHUT_RD}[WAY])
        if WAY == "answers":
            time.sleep(60)
        return observation.hand[:1] if not observation.lobby else []
