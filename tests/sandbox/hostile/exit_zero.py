"""Ends its process as if all were well."""

import os


class Bot:
    def play(self, observation):
        os._exit(0)
