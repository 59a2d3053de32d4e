"""numpy in the sandbox: for the bots that name it, on one thread, within their memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import match
from arena.outcome import Outcome, Termination
from arena.ruleset import Ruleset
from sandbox import Limits, numerics
from sandbox.launchers import Launcher
from sandbox.session import Session
from tests.sandbox.harness import AMPLE, HONEST, Arena, loaded, question, write_bot

NETWORK = """
import numpy as np

RNG = np.random.default_rng(1)
FIRST, SECOND = RNG.standard_normal((3, 256)), RNG.standard_normal(256)

class Bot:
    def play(self, observation):
        plays = observation.legal_plays
        inputs = np.array([(len(cards), sum(card.rank for card in cards), len(observation.lobby)) for cards in plays])
        return plays[int((np.tanh(inputs @ FIRST) @ SECOND).argmax())]

    def match_end(self, points, other):
        import ctypes, os
        library = ctypes.CDLL(np._core._multiarray_umath.__file__)
        big = np.ones((600, 600))
        print("threads of OpenBLAS:", library.scipy_openblas_get_num_threads64_(), (big @ big).sum())
        print("environment:", sorted(name for name in os.environ if name.endswith("THREADS")))
"""
IN_DISGUISE = """
class Bot:
    def play(self, observation):
        print("loaded:", [name for name in __import__("sys").modules if name.startswith("num" + "py")])
        __import__("num" + "py")
        return []
"""


def threads(session: Session) -> int:
    """Of the match's child, as the kernel counts them."""
    pid = session._stopwatch._clock._pid  # type: ignore[attr-defined]
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def test_a_bot_with_a_network_plays_a_whole_match_on_one_thread(launcher: Launcher, tmp_path: Path) -> None:
    rules = Ruleset(games=12)
    with (
        launcher.start(write_bot(tmp_path / "a", NETWORK)) as first,
        launcher.start(write_bot(tmp_path / "b", HONEST)) as second,
        first.match(AMPLE, "network") as a,
        second.match(AMPLE, "honest") as b,
    ):
        record = match.play((a, b), rules, AMPLE, 1)
        assert threads(a) == 1
    assert record.outcome.termination is Termination.COMPLETED
    assert a.output == "threads of OpenBLAS: 1 216000000.0\nenvironment: []\n"


def test_a_bot_that_does_not_name_numpy_is_told_what_to_do(launcher: Launcher, tmp_path: Path) -> None:
    with (
        launcher.start(write_bot(tmp_path / "a", IN_DISGUISE)) as first,
        launcher.start(write_bot(tmp_path / "b", HONEST)) as second,
        first.match(AMPLE, "disguise") as a,
        second.match(AMPLE, "honest") as b,
    ):
        outcome = match.play((a, b), Ruleset(games=1), AMPLE, 1).outcome
    assert outcome == Outcome(1, Termination.CRASH, (0,), outcome.reason)
    assert numerics.REFUSAL in outcome.reason
    assert a.output == "loaded: []\n"


def test_a_module_of_the_bot_named_numpy_is_its_own(launcher: Launcher, tmp_path: Path) -> None:
    source = """
import numpy
class Bot:
    def play(self, observation):
        print(numpy.OWN)
        return []
"""
    bundle = write_bot(tmp_path / "bot", source, **{"numpy.py": "OWN = 'my own'"})
    with launcher.start(bundle) as box, box.match(AMPLE, "own") as session:
        loaded(session).ask(question(1))
    assert session.output == "my own\n"


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"bot.py": "import numpy as np"}, True),
        ({"bot.py": "import json, numpy"}, True),
        ({"bot.py": "def late():\n\tfrom numpy import array"}, True),
        ({"bot.py": "import deep.er", "deep/er.py": "import numpy"}, True),
        ({"bot.py": "import json", "notes.txt": "import numpy"}, False),
        ({"bot.py": "import numbers"}, False),
    ],
)
def test_a_bot_asks_for_numpy_by_naming_it(tmp_path: Path, files: dict[str, str], wanted: bool) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert numerics.is_wanted(tmp_path) is wanted


def test_the_worker_finds_numpy_without_importing_it() -> None:
    script = "import sys; from sandbox import numerics; print(numerics.home().name, 'numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout == "numpy False\n"


def test_shared_memory_has_an_end_as_well(enter: Callable[..., Arena]) -> None:
    """It counts for the container's limit; a process finds the end of its addresses."""
    arena = enter("numpy_misuse", Limits(memory_mib=128, numpy_space_mib=384), "shared")
    fight = arena.fight(AMPLE)
    expected = {"docker": (Termination.MEMORY, "128 MiB"), "process": (Termination.CRASH, "Cannot allocate memory")}
    termination, words = expected[arena.launcher.name]
    assert fight.outcome.termination is termination
    assert fight.outcome.forfeits == (0,)
    assert words in fight.outcome.reason
    assert fight.peak_mib < 384
