"""Runs untrusted bots, one confined child for each match.

`open_launcher` chooses between containers and processes; a launcher starts a box for a bot version; a box gives a
session for each match, which is a `Player` for `arena.match.play`. Of our packages this one imports the wire messages
and what a player is, nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandbox.errors import BadUpload, NoSandbox, SandboxFault
from sandbox.limits import Limits

if TYPE_CHECKING:
    from sandbox.launchers import Launcher

__all__ = ["BadUpload", "Limits", "NoSandbox", "SandboxFault", "open_launcher"]


def open_launcher(choice: str = "auto") -> Launcher:
    """See `sandbox.launchers.open_launcher`. The runner, which imports this package as well, needs none of it."""
    from sandbox import launchers

    return launchers.open_launcher(choice)
