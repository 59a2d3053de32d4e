"""Turns numpy, which it is given, against the sandbox."""

import ctypes
import mmap
import pickle
from pathlib import Path

import numpy as np
from attempts import Honest, attempt

WAY = "files"
HERE = Path(__file__).parent


class Payload:
    def __reduce__(self):
        return open, ("/etc/passwd",)


def files():
    for name in ("bot.py", "arena-canary.npy"):
        attempt(f"map {name} to write", lambda name=name: np.memmap(HERE / name, mode="r+", shape=1))
        attempt(f"map {name} anew", lambda name=name: np.memmap(HERE / name, mode="w+", shape=1))
    attempt("save", lambda: np.save(HERE / "arena-canary.npy", np.ones(3)))
    attempt("to a file", lambda: np.ones(3).tofile("/tmp/arena-canary"))
    attempt("from a file", lambda: np.fromfile("/etc/passwd", np.uint8))
    attempt("from a text", lambda: np.loadtxt("/etc/passwd", str))
    attempt("load", lambda: np.load("/etc/passwd", allow_pickle=True))
    attempt("unpickle", lambda: pickle.loads(pickle.dumps(Payload())))
    attempt("packages beside numpy", lambda: list(Path(np.__file__).parents[1].iterdir()))
    attempt("from the network", lambda: np.lib.npyio.DataSource("/tmp").open("http://127.0.0.1:9/canary"))
    attempt("fork by numpy's library", fork)


def fork():
    if ctypes.CDLL(np._core._multiarray_umath.__file__).fork() < 0:
        raise OSError


def more_threads():
    library = ctypes.CDLL(np._core._multiarray_umath.__file__)
    library.scipy_openblas_set_num_threads64_(8)
    np.ones((500, 500)) @ np.ones((500, 500))


def touch():
    taken = []
    while True:
        taken.append(np.ones(1 << 20))


def dogged():
    """Holds on to all memory, and has products and inverses computed that find none."""
    taken, size = [], 1 << 24
    while size:
        try:
            taken.append(np.ones(size, np.uint8))
        except MemoryError:
            size >>= 1
    while True:
        taken.append(np.ones((600, 600)) @ np.ones((600, 600)))


def giant():
    attempt("giant", lambda: np.empty(1 << 40))
    attempt("as much as the limit", lambda: np.empty(256 << 20, np.uint8))
    np.ones(1 << 40)


def shared():
    """Shared memory is no data of the process; who takes it in pieces finds the end of the addresses."""
    taken = []
    while True:
        taken.append(mmap.mmap(-1, 1 << 24))
        np.frombuffer(taken[-1], np.uint8)[:] = 1


class Bot(Honest):
    def __init__(self):
        if WAY == "files":
            files()

    def play(self, observation):
        if WAY != "files":
            globals()[WAY]()
        return super().play(observation)
