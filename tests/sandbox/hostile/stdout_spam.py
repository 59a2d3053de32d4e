"""Prints for ever."""


class Bot:
    def play(self, observation):
        print("the first line")
        while True:
            print("spam " * 1_000)
