"""Sends hundreds of descriptors, through the match's pipe and to itself."""

import array
import os
import socket

from attempts import Honest, attempt


class Bot(Honest):
    def __init__(self):
        attempt("the match as a socket", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=os.dup(4)))
        mine, _ = socket.socketpair()
        rights = array.array("i", [0] * 200)
        message = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)]
        for _ in range(50):
            attempt("descriptors", lambda: mine.sendmsg([b" "], message))
