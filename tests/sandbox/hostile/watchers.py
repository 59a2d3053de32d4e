"""Wants to be told of what goes on outside, and fills its table with descriptors that the kernel keeps things for."""

import os
import select

from attempts import Honest, attempt, syscall

INOTIFY_INIT, FANOTIFY_INIT, SIGNALFD, TIMERFD, USERFAULTFD, MQ_OPEN = 253, 300, 289, 283, 323, 240
NETLINK_SOCKET, PIDFD_SELF, SOCKET = 16, -10000, 41


def events():
    held = []
    while True:
        held.append(os.eventfd(2**32 - 1, os.EFD_SEMAPHORE))


def epolls():
    held = [select.epoll()]
    while True:
        held.append(select.epoll())
        held[-1].register(held[-2], select.EPOLLIN)


class Bot(Honest):
    def __init__(self):
        attempt("event descriptors", events)
        attempt("watches of watches", epolls)
        attempt("folder watch", lambda: syscall(INOTIFY_INIT))
        attempt("file system watch", lambda: syscall(FANOTIFY_INIT, 0, 0))
        attempt("signals as a file", lambda: syscall(SIGNALFD, -1, bytes(8), 8, 0))
        attempt("timer as a file", lambda: syscall(TIMERFD, 0, 0))
        attempt("faults as a file", lambda: syscall(USERFAULTFD, 1))
        attempt("queue", lambda: syscall(MQ_OPEN, b"/arena", 0o102, 0o600, None))
        attempt("news of the kernel", lambda: syscall(SOCKET, NETLINK_SOCKET, 3, 15))
