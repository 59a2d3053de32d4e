"""Gives the kernel addresses that lead nowhere, to be written to when its process ends, and forges a signal's frame."""

import os

from attempts import Honest, syscall

ROBUST_LIST, TID_ADDRESS, ARCH_PRCTL, SIGRETURN, RSEQ = 273, 218, 158, 15, 334
WAY = "lists"


class Bot(Honest):
    def play(self, observation):
        syscall(ROBUST_LIST, 0x10, 24)
        syscall(TID_ADDRESS, 0x18)
        if WAY == "thread pointer":
            syscall(ARCH_PRCTL, 0x1002, 0x10)
        if WAY == "signal frame":
            syscall(SIGRETURN)
        return super().play(observation)
