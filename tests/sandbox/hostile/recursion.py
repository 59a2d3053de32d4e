"""Goes down without an end, in one of several ways."""

import json
import pickle
import sys

WAY = "call"


class Bot:
    def play(self, observation):
        if WAY == "call":
            return self.play(observation)
        if WAY == "no limit":
            sys.setrecursionlimit(2**31 - 1)
            return [repr(nested(10**6))]
        if WAY == "json":
            return json.loads("[" * 10**6)
        return [str(len(pickle.dumps(nested(10**5))))]


def nested(depth):
    found = []
    for _ in range(depth):
        found = [found]
    return found
