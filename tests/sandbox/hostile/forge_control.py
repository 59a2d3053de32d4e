"""Writes what the zygote writes to every descriptor there is, hoping that one of them is the worker's control socket."""

import json
import os

from attempts import Honest

WORDS = [{"op": "end", "status": 0, "cpu_s": 0.0, "peak_kib": 0, "alone": True}, {"op": "clock", "cpu_ns": 0}]


class Bot(Honest):
    def play(self, observation):
        for descriptor in range(5, 256):
            for word in WORDS:
                try:
                    os.write(descriptor, json.dumps(word).encode())
                except OSError:
                    continue
                print(descriptor, "WORKED")
        return super().play(observation)
