"""Sends data out of band, which wakes whoever reads the socket and then is not there to be read."""

import os
import socket

from attempts import Honest, attempt

MSG_ZEROCOPY = 0x4000000


class Bot(Honest):
    def __init__(self):
        match = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=os.dup(3))
        attempt("urgent byte", lambda: match.send(b"x", socket.MSG_OOB))
        attempt("urgent bytes", lambda: match.send(b"xy", socket.MSG_OOB | socket.MSG_DONTWAIT))
        attempt("urgent receive", lambda: match.recv(1, socket.MSG_OOB | socket.MSG_DONTWAIT))
        attempt("no copy", lambda: match.send(b"", MSG_ZEROCOPY))
        attempt("address", lambda: match.sendto(b"x", "/run/arena/socket"))
