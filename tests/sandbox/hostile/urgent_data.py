"""Sends data out of band: it wakes who waits for data, and then is not there to be read."""

import os
import socket

from attempts import Honest, attempt

MSG_ZEROCOPY = 0x4000000


class Bot(Honest):
    def __init__(self):
        attempt("the match as a socket", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=os.dup(4)))
        mine, _ = socket.socketpair()
        attempt("urgent byte", lambda: mine.send(b"x", socket.MSG_OOB))
        attempt("urgent bytes", lambda: mine.send(b"xy", socket.MSG_OOB | socket.MSG_DONTWAIT))
        attempt("urgent receive", lambda: mine.recv(1, socket.MSG_OOB | socket.MSG_DONTWAIT))
        attempt("no copy", lambda: mine.send(b"", MSG_ZEROCOPY))
        attempt("address", lambda: mine.sendto(b"x", "/run/arena/socket"))
