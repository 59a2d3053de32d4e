"""A dictionary whose keys all fall into one place: short to write, endless to fill."""


class Key:
    def __hash__(self):
        return 1


class Bot:
    def play(self, observation):
        return [str(len({Key(): number for number in range(10**7)}))]
