"""How the runner's Python is started."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent
"""Where the packages arena and sandbox are imported from."""
# Isolated, without installed packages, without writing bytecode, UTF-8 whatever the locale.
FLAGS = ("-I", "-S", "-B", "-X", "utf8")


def interpreter() -> str:
    """The real interpreter, not a virtual environment's link to it."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def command(module: str, argument: str, sources: str) -> list[str]:
    """The command line that runs `main` of a module of the sandbox.

    Args:
        argument: For the module, as `sys.argv[1]`.
        sources: The folder of our packages where the command runs.
    """
    boot = f"import sys; sys.path.append(sys.argv[2]); from sandbox.{module} import main; main()"
    return [interpreter(), *FLAGS, "-c", boot, argument, sources]
