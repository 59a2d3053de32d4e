"""Never stops thinking, and swallows what would stop it."""


class Bot:
    def play(self, observation):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
