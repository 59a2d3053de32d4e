class Bot:
    def play(self, observation)
        return []
