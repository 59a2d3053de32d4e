"""A disk that is soon full."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, **limits: object) -> Iterator[None]:
    """Mounts one there; skips the test where this user may not. `limits` are tmpfs's own: `size`, `nr_inodes`."""
    if not _mount(folder, **limits):
        pytest.skip("this user may not mount a tmpfs")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def enlarge(folder: Path, **limits: object) -> None:
    assert _mount(folder, remount=True, **limits)


def _mount(folder: Path, remount: bool = False, **limits: object) -> bool:
    options = ",".join(["remount"] * remount + [f"{name}={value}" for name, value in limits.items()])
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False)
    return mounted.returncode == 0
