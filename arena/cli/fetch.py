"""`arena fetch MATCH`: a match of a site as files, for `arena replay` and `arena rerun`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from arena.cli import credentials, options, screen
from arena.cli.failure import USAGE, Failure
from arena.cli.site import Refusal, Site

EXAMPLES = """  arena fetch 1207 && arena replay match-1207.json
  arena fetch 1207 --out matches

What your own bots printed in it, and a traceback, come beside the record, as
match-1207-A.log: that needs a token with the scope logs.
"""
NOT_ALLOWED = (401, 403)


def add_to(commands: options.Commands) -> None:
    about = "Fetch the record of a match, and what your own bots left behind in it."
    parser = options.add_command(commands, run, "fetch", about, EXAMPLES)
    parser.add_argument("match", metavar="MATCH", type=_number, help="its number, as in its page's address")
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path(), help="where to write (default: here)")
    parser.add_argument("--json", action="store_true", help="print the names of the files as JSON")


def run(parsed: argparse.Namespace) -> int:
    folder: Path = parsed.out
    with Site(credentials.load()) as site:
        record = site.get(f"/matches/{parsed.match}/replay")
        logs = _logs(site, parsed.match)
    files = {f"match-{parsed.match}.json": json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"}
    files |= {f"match-{parsed.match}-{log['seat']}.log": _text(log) for log in logs}
    paths = [folder / name for name in files]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, files.values(), strict=True):
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise Failure(f"{error.filename or folder}: {error.strerror}", USAGE) from None
    if parsed.json:
        screen.show_json({"match": parsed.match, "files": [str(path) for path in paths]})
    else:
        for path in paths:
            screen.say(str(path))
    return 0


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18 and int(text)):
        raise argparse.ArgumentTypeError(f"expected a match's number, such as 1207, got {text!r:.40}")
    return int(text)


def _logs(site: Site, match: int) -> list[Any]:
    """What one's own bots left behind; nothing where that is not for this user."""
    if not site.login.token:
        return []
    try:
        told: list[Any] = site.get(f"/matches/{match}/logs")["logs"]
    except Refusal as refused:
        if refused.code in NOT_ALLOWED:
            return []
        raise
    return told


def _text(log: Any) -> str:
    """The traceback, if there is one, before what was printed."""
    return "\n".join(part for part in (log["traceback"].rstrip("\n"), log["output"]) if part)
