"""Answers a byte at a time, which is slow and allowed."""

import os

from attempts import Honest

write = os.write
os.write = lambda descriptor, data: write(descriptor, data[:1])


class Bot(Honest):
    pass
