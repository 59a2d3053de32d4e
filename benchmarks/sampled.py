"""The platform's Celery application, whose workers' processes note a hundred times a second what they are doing.

Each writes into the folder ARENA_SAMPLES, as it ends, how often it was found at what.
"""

import json
import os
import signal
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from celery.signals import worker_process_init, worker_process_shutdown

from league.celery import app

__all__ = ["app"]

EVERY_S = 0.01
FUNCTIONS = {
    ("/league/matches/boxes.py", "_box"): "starts of boxes",
    ("/sandbox/session.py", "_wait_and_read"): "waits for bots",
}
FOLDERS = {
    "/django/db/": "database",
    "/psycopg": "database",
    "/redis/": "broker",
    "/kombu/": "broker",
    "/celery/": "broker",
    "/billiard/": "broker",
    "/arena/": "engine",
    "/sandbox/": "sandbox",
    "/league/": "site",
}
_found: Counter[str] = Counter()


def at_work(frame: FrameType | None) -> str:
    """What a process does whose innermost frame that is; what surrounds a function of ours is that function's."""
    innermost = ""
    while frame is not None:
        code = frame.f_code
        for (file, function), name in FUNCTIONS.items():
            if code.co_name == function and code.co_filename.endswith(file):
                return name
        if not innermost:
            innermost = next((name for folder, name in FOLDERS.items() if folder in code.co_filename), "")
        frame = frame.f_back
    return innermost or "other"


def begin(**_: Any) -> None:
    signal.signal(signal.SIGALRM, _sample)
    signal.setitimer(signal.ITIMER_REAL, EVERY_S, EVERY_S)


def write(**_: Any) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
    path = Path(os.environ["ARENA_SAMPLES"]) / f"{os.getpid()}.json"
    path.write_text(json.dumps(_found))


def _sample(_: int, frame: FrameType | None) -> None:
    _found[at_work(frame)] += 1


worker_process_init.connect(begin)
worker_process_shutdown.connect(write)
