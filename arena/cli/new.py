"""`arena new DIR`: a folder to begin a bot in."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from arena.cli import options, screen
from arena.cli.failure import USAGE, Failure

KIT = Path(__file__).with_name("kit")
FILES = ("bot.py", "test_bot.py", "README.md")
NAME_CHARS = 40
"""The longest name that the site takes for a bot."""
EXAMPLES = """  arena new mybot
  arena new mybot && cd mybot && python -m unittest && arena check .
"""


def add_to(commands: options.Commands) -> None:
    about = "Begin a bot: a folder with a bot, its tests and the commands."
    parser = options.add_command(commands, run, "new", about, EXAMPLES)
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new folder, or an empty one")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")


def run(parsed: argparse.Namespace) -> int:
    folder: Path = parsed.folder
    try:
        _check(folder)
        folder.mkdir(exist_ok=True)
        for name in FILES:
            with (folder / name).open("x", encoding="utf-8") as file:
                file.write((KIT / name).read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(f"{error.filename or folder}: {error.strerror}", USAGE) from None
    if parsed.json:
        screen.show_json({"folder": str(folder.resolve()), "files": list(FILES)})
    else:
        screen.say(f"{folder} has a bot, and {folder / FILES[-1]} the commands to go on with:", "bold green")
        screen.say(f"  cd {shlex.quote(str(folder))}\n  python -m unittest\n  arena check .")
    return 0


def _check(folder: Path) -> None:
    """Refuses what can't become a bot's folder."""
    name = folder.resolve().name if str(folder).isprintable() else str(folder)
    if not name or not name.isprintable() or name != name.strip() or name.startswith((".", "-")):
        raise Failure(f"expected a folder's name that a bot can have, such as mybot, got {name!r:.60}", USAGE)
    if len(name) > NAME_CHARS:
        raise Failure(f"expected a name of at most {NAME_CHARS} characters, got {len(name)}: {name!r:.60}", USAGE)
    if not folder.resolve().parent.is_dir():
        raise Failure(f"{folder}: there is no folder {folder.resolve().parent}; make it first", USAGE)
    if folder.exists() and not folder.is_dir():
        raise Failure(f"{folder}: expected a folder, got a file; give another name", USAGE)
    if folder.is_dir() and any(folder.iterdir()):
        raise Failure(f"{folder}: the folder is not empty; give another name", USAGE)
