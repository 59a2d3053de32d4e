"""A worker that starts a box and a match that never ends, says so, and waits to be killed.

Arguments: the launcher's name, and a bot's folder.
"""

import sys
from pathlib import Path

from arena.ruleset import TimeControl
from sandbox import open_launcher
from sandbox.bundle import Bundle
from sandbox.owner import owner

TIME_CONTROL = TimeControl(load_s=600.0)


def main() -> None:
    launcher = open_launcher(sys.argv[1])
    box = launcher.start(Bundle(Path(sys.argv[2])))
    start = {"id": 0, "op": "load", "seat": 0, "ruleset": {}, "time_control": TIME_CONTROL.as_dict()}
    with box.match(TIME_CONTROL, "endless") as session:
        print(box.pid, owner(), flush=True)
        session.load(start)


main()
