"""Takes memory until there is none."""


class Bot:
    def play(self, observation):
        taken = []
        while True:
            taken.append(bytearray(1 << 20))
