"""Pipes between a worker and a bot, which gets one end of each."""

from __future__ import annotations

import os


class Pipe:
    """Two open files, each to be closed once; nobody inherits them."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe2(os.O_CLOEXEC)

    def close_reader(self) -> None:
        if self.reader >= 0:
            os.close(self.reader)
            self.reader = -1

    def close_writer(self) -> None:
        if self.writer >= 0:
            os.close(self.writer)
            self.writer = -1

    def close(self) -> None:
        self.close_reader()
        self.close_writer()
