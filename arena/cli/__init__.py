"""The command line `arena`: one module a command. The one room of `arena` that starts sandboxes and draws tables."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

from arena import __version__
from arena.cli import (
    bench,
    check,
    doctor,
    fetch,
    league,
    login,
    logout,
    new,
    play,
    replay,
    rerun,
    status,
    submit,
    table,
)
from arena.cli.failure import PLATFORM_FAULT, STATUSES, USAGE, Failure

COMMANDS = (
    *(new, check, play, league, replay, rerun, table, bench, doctor),
    *(login, submit, status, fetch, logout),
)
INTERRUPTED = 128 + signal.SIGINT
BROKEN_PIPE = 128 + signal.SIGPIPE
TERMINATED = 128 + signal.SIGTERM
"""These are what shells show of a program ended by that signal."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; its exit status. Errors are one line on stderr."""
    parsed = parser().parse_args(arguments)
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        status: int = parsed.run(parsed)
        sys.stdout.flush()
    except Failure as failure:
        return _complain(str(failure), failure.status)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader, such as head, has seen enough; the interpreter must not flush into the pipe again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if os.environ.get("ARENA_DEBUG"):
            raise
        words = " ".join(str(error).split())
        advice = "set ARENA_DEBUG=1 to see where"
        return _complain(f"the platform failed: {type(error).__name__}: {words} ({advice})", PLATFORM_FAULT)
    finally:
        signal.signal(signal.SIGTERM, before)
    return status


def _terminate(number: int, frame: object) -> NoReturn:
    """Leaves by the way of all exits, so that boxes are closed and folders removed."""
    sys.exit(TERMINATED)


def _complain(words: str, status: int) -> int:
    print(f"arena: {words}", file=sys.stderr)
    return status


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message}; see {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """What the command line accepts; the parsed arguments hold the function to call as `run`."""
    whole = _Parser(
        prog="arena",
        description="Tries, plays and submits bots of the card game Candidate, in the sandbox that the site uses.",
        epilog=STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = whole.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return whole
