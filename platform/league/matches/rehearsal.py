"""One short game between two house bots in this machine's sandbox: that a worker can do what it is for."""

import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import sandbox
from arena import bots as house
from arena import match
from arena.qualification import OPPONENT, SEED
from arena.ruleset import Ruleset, TimeControl
from sandbox import bundle
from sandbox.owner import make_folder

FOLDER = "arena-rehearsal-"
GUEST = "passer"


class Unfit(Exception):  # noqa: N818
    """A house bot did not hold out, which can be no fault of its own."""


def rehearse(choice: str) -> str:
    """Play the game; how bots were confined.

    Raises:
        Unfit: it was not played to its end.
        NoSandbox, SandboxFault, OSError, ValueError: it could not begin, or broke off.
    """
    time_control = TimeControl()
    with ExitStack() as stack:
        launcher = sandbox.open_launcher(choice)
        stack.callback(launcher.close)
        folder = make_folder(FOLDER, Path(tempfile.gettempdir()))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)  # bots are other users, who have to read theirs
        players = []
        for name in (OPPONENT, GUEST):
            bot = folder / name
            bot.mkdir()
            bundle.prepare(house.source(name), f"{name}.py", bot)
            box = launcher.start(bundle.Bundle(bot))
            players.append(stack.enter_context(box.match(time_control, f"rehearsal {name}")))
        record = match.play((players[0], players[1]), replace(Ruleset(), games=1), time_control, SEED)
        if record.outcome.forfeits:
            raise Unfit(f"a house bot forfeited: {record.outcome.reason}")
        return launcher.describe()
