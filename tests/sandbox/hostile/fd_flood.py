"""Sends hundreds of descriptors to the worker through the match's socket."""

import array
import os
import socket

from attempts import Honest, attempt


class Bot(Honest):
    def __init__(self):
        match = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=os.dup(3))
        rights = array.array("i", [0] * 200)
        message = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)]
        for _ in range(50):
            attempt("descriptors", lambda: match.sendmsg([b" "], message))
        attempt("descriptors by name", lambda: socket.send_fds(match, [b" "], [0, 1, 2]))
