"""Writes bytes of no meaning where the answer should be."""

import os
import time


class Bot:
    def play(self, observation):
        os.write(4, b"\xef\xbb\xbf\x00\xff\xfe{]" + os.urandom(200).replace(b"\n", b"") + b"\n")
        time.sleep(60)
