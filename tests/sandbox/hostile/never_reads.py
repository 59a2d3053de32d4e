"""Answers without reading what it is asked, and then neither reads nor answers."""

import os
import time


class Bot:
    def play(self, observation):
        os.write(4, b'{"cards":[],"id":1}\n')
        while True:
            time.sleep(60)
