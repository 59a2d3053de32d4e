"""Ships modules of the names that the runner uses itself."""

import json
import random
import socket

import helper


class Bot:
    def __init__(self):
        print("own:", json.OWN, random.OWN, socket.OWN, helper.OWN)

    def play(self, observation):
        return observation.hand[:1] if not observation.lobby else []
