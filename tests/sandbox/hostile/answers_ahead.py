"""Answers before it is asked: while it is loaded, or the next question together with this one."""

import os
import time

from attempts import Honest

WAY = "load"
LOADED = b'{"defines":["play"],"id":0}\n'


def write_ahead(descriptor, data):
    os.write = write
    write(descriptor, data)
    time.sleep(0.05)
    write(descriptor, b'{"cards":[],"id":1}\n')
    return len(data)


write = os.write
if WAY == "load":
    write(4, LOADED)
    time.sleep(0.05)
if WAY == "ready":
    write(4, b'{"ready":true}\n')
if WAY == "first question":
    write(4, b'{"cards":[],"id":1}\n')


class Bot(Honest):
    def __init__(self):
        if WAY == "next question":
            os.write = write_ahead
