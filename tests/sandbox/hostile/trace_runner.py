"""Reads the runner's frames and objects, traces them, and looks for cards that it may not see."""

import gc
import sys

from attempts import Honest


class Bot(Honest):
    def __init__(self):
        sys.settrace(lambda frame, event, argument: None)
        sys.setprofile(lambda frame, event, argument: None)
        sys.addaudithook(lambda event, arguments: None)

    def play(self, observation):
        frame, names = sys._getframe(), []
        while frame:
            names += [name for name, value in frame.f_locals.items() if "seed" in name or type(value).__name__ == "State"]
            frame = frame.f_back
        kinds = {type(each).__name__ for each in gc.get_objects()}
        print("names:", names, "kinds:", kinds & {"Match", "Deal", "Shuffle", "Session", "Box"})
        return super().play(observation)
