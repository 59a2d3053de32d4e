"""Keeps most of its memory in use all the match long; that is its right."""


class Bot:
    def __init__(self):
        self.held = [bytearray(1 << 20) for _ in range(160)]

    def play(self, observation):
        for block in self.held:
            block[::4096] = bytes(256)
        return observation.hand[:1] if not observation.lobby else []
