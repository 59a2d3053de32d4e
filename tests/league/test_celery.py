from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

SHARES = """
import os
import signal
from billiard.heap import Arena
from league import celery
celery.share_no_folder()
Arena(4_096)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_worker_that_is_killed_leaves_no_temporary_folder(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", SHARES], env={**os.environ, "TMPDIR": str(tmp_path)}, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []
