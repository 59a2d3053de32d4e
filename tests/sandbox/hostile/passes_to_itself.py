"""Sends the match's pipe to itself in a loop of sockets, so that it would live on after its end."""

import os
import socket

from attempts import Honest, attempt


class Bot(Honest):
    def __init__(self):
        one, other = socket.socketpair()
        attempt("send", lambda: socket.send_fds(one, [b"x"], [4]))
        attempt("send itself", lambda: socket.send_fds(one, [b"x"], [one.fileno(), other.fileno()]))
        one.send(b"x")
        attempt("receive", lambda: socket.recv_fds(other, 1, 1))
        attempt("datagrams", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
        attempt("packets", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        attempt("name", lambda: one.bind("\0arena"))
        attempt("room", lambda: one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24))
        attempt("credentials", lambda: one.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1))
        os.dup2(one.fileno(), 63)
