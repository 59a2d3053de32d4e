"""Reads address 0."""

import ctypes


class Bot:
    def play(self, observation):
        ctypes.string_at(0)
