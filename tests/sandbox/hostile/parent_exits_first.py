"""Wants to die and leave a child behind that goes on."""

import os


class Bot:
    def play(self, observation):
        try:
            child = os.fork()
        except OSError as error:
            print("fork refused:", error)
            os._exit(0)
        if child == 0:
            while True:
                pass
        print("fork WORKED")
        os._exit(0)
