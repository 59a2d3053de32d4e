"""Boxes and sessions in both launchers: clocks, freshness, faults that are nobody's loss, and what is left."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import docker
import msgspec
import pytest

from arena import match
from arena.outcome import Forfeit, Termination
from arena.ruleset import TimeControl
from sandbox import SandboxFault, open_launcher
from sandbox.box import BotBox
from sandbox.launchers import Launcher
from sandbox.owner import owner
from sandbox.session import Session
from tests.sandbox.harness import AMPLE, HONEST, HOSTILE, ONE_GAME, Arena, load_message, open_descriptors, write_bot

Enter = Callable[..., Arena]


@pytest.fixture
def box(launcher: Launcher, tmp_path: Path) -> BotBox:
    return launcher.start(write_bot(tmp_path / "bot", HONEST))


def loaded(session: Session) -> Session:
    session.load(load_message(AMPLE))
    return session


def question(number: int) -> dict[str, object]:
    return {"id": number, "op": "play", "events": [[40, 1, 0]] if number == 1 else []}


def test_a_match_in_the_sandbox_is_the_match_without(box: BotBox, launcher: Launcher) -> None:
    from arena.players import LocalPlayer

    class Bot:
        def play(self, observation: object) -> object:
            return observation.hand[:1] if not observation.lobby else []  # type: ignore[attr-defined]

    local = match.play((LocalPlayer(Bot), LocalPlayer(Bot)), ONE_GAME, AMPLE, 7)
    with box.match(AMPLE, "a") as session:
        record = match.play((session, LocalPlayer(Bot)), ONE_GAME, AMPLE, 7)
    assert [game.actions for game in record.games] == [game.actions for game in local.games]
    assert record.outcome == local.outcome
    assert session.cpu_s > 0
    assert session.memory_peak_kib > 5_000
    box.close()


def test_cpu_time_is_measured_from_outside(launcher: Launcher, tmp_path: Path) -> None:
    source = """
import time
class Bot:
    def play(self, observation):
        end = time.process_time() + 0.05
        while time.process_time() < end: pass
        time.sleep(0.05)
        return []
"""
    with launcher.start(write_bot(tmp_path / "bot", source)) as box, box.match(AMPLE, "a") as session:
        loaded(session)
        for number in (1, 2, 3):
            assert session.ask(question(number)).cpu_s == pytest.approx(0.05, abs=0.02)
    assert 0.15 < session.cpu_s < 0.3


def test_where_the_child_can_not_be_seen_the_box_tells_its_clock(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.session.clock_of", lambda _: None)
    control = TimeControl(load_s=1.0, decision_s=0.3, bank_s=2.0)
    with launcher.start(write_bot(tmp_path / "bot", (HOSTILE / "cpu_slices.py").read_text())) as box:
        with box.match(control, "thinks") as session:
            assert loaded(session).ask(question(1)).cpu_s == pytest.approx(0.1, abs=0.03)
        for module, reason in (("busy_loop", "0.3 s of CPU time"), ("sleep_forever", "asleep")):
            write_bot(tmp_path / "bot", (HOSTILE / f"{module}.py").read_text())
            with box.match(control, module) as session, pytest.raises(Forfeit, match=reason):
                loaded(session).ask(question(1))


def test_the_bank_of_a_match_is_used_up_in_slices(enter: Enter) -> None:
    fight = enter("cpu_slices").fight(TimeControl(load_s=1, decision_s=0.3, bank_s=0.5))
    assert fight.outcome.termination is Termination.TIME
    assert "the bank of 0.5 s" in fight.outcome.reason


def test_sleeping_in_slices_is_found_out(enter: Enter) -> None:
    fight = enter("sleep_slices").fight(TimeControl(load_s=1, decision_s=0.3, bank_s=0.5))
    assert fight.outcome.termination is Termination.TIME
    assert "slept away" in fight.outcome.reason


def test_on_a_loaded_machine_half_the_limit_is_in_time(launcher: Launcher, tmp_path: Path) -> None:
    source = """
import time
class Bot:
    def play(self, observation):
        end = time.process_time() + 0.1
        while time.process_time() < end: pass
        return []
"""
    control = TimeControl(load_s=2, decision_s=0.2, bank_s=5)
    burners = [
        subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(4 * (os.cpu_count() or 1))
    ]
    try:
        with launcher.start(write_bot(tmp_path / "bot", source)) as box:
            with box.match(control, "honest") as session:
                loaded(session)
                for number in range(1, 6):
                    session.ask(question(number))
            write_bot(tmp_path / "bot", (HOSTILE / "sleep_forever.py").read_text())
            with box.match(control, "asleep") as session, pytest.raises(Forfeit, match="asleep"):
                loaded(session).ask(question(1))
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def test_each_match_starts_from_nothing(launcher: Launcher, tmp_path: Path) -> None:
    source = """
import builtins, json, mmap, random, sys
seen = getattr(json, "seen", 0) + getattr(builtins, "seen", 0)
json.seen = builtins.seen = seen + 1
class Bot:
    def __init__(self):
        print(seen, random.random())
    def play(self, observation):
        return []
"""
    outputs = []
    with launcher.start(write_bot(tmp_path / "bot", source)) as box:
        for _ in range(3):
            with box.match(AMPLE, "a") as session:
                loaded(session)
            outputs.append(session.output.split())
    assert [seen for seen, _ in outputs] == ["0", "0", "0"]
    assert len({number for _, number in outputs}) == 3


def test_fifty_matches_leave_nothing_behind(box: BotBox) -> None:
    def play() -> None:
        with box.match(AMPLE, "a") as session:
            loaded(session).ask(question(1))

    play()
    descriptors, memory = open_descriptors(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(50):
        play()
    assert open_descriptors() == descriptors
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 5_000
    box.close()


def test_a_box_plays_one_match_at_a_time(box: BotBox) -> None:
    with box.match(AMPLE, "a"), pytest.raises(SandboxFault, match="one match at a time"):
        box.match(AMPLE, "b")
    with box.match(AMPLE, "c") as session:
        loaded(session)
    box.close()
    with pytest.raises(SandboxFault, match="closed"):
        box.match(AMPLE, "d")
    assert not box.alive


def child_of(session: Session) -> int:
    """The pid of the match's child, as this process sees it."""
    return session._stopwatch._clock._pid  # type: ignore[attr-defined, no-any-return]


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_child_killed_from_outside_is_nobodys_loss(box: BotBox) -> None:
    with box.match(AMPLE, "a") as session:
        loaded(session)
        os.kill(child_of(session), signal.SIGKILL)
        with pytest.raises(SandboxFault, match="from outside"):
            session.ask(question(1))
    with box.match(AMPLE, "b") as session:
        loaded(session)
    box.close()


def test_a_box_that_vanishes_in_a_decision_is_nobodys_loss(launcher: Launcher, tmp_path: Path) -> None:
    box = launcher.start(write_bot(tmp_path / "bot", HONEST))
    with box.match(AMPLE, "a") as session:
        loaded(session)
        zygote = int(Path(f"/proc/{child_of(session)}/status").read_text().split("PPid:")[1].split()[0])
        child = child_of(session)
        os.kill(zygote, signal.SIGKILL)
        while runs(child):
            time.sleep(0.01)
        with pytest.raises(SandboxFault, match="gone"):
            session.ask(question(1))
    assert not box.alive
    with pytest.raises(SandboxFault), box.match(AMPLE, "b"):
        pass
    box.close()


@pytest.mark.docker
def test_a_container_removed_in_a_decision_is_nobodys_loss(engine: None, tmp_path: Path) -> None:
    from sandbox.containers import DockerLauncher

    launcher = DockerLauncher()
    client = docker.from_env()
    try:
        box = launcher.start(write_bot(tmp_path / "bot", HONEST))
        with box.match(AMPLE, "a") as session:
            loaded(session)
            (container,) = owned_by(launcher._owner)
            client.api.remove_container(container, force=True)
            with pytest.raises(SandboxFault, match="gone"):
                session.ask(question(1))
    finally:
        launcher.close()
        client.close()


def owned_by(name: str) -> list[str]:
    """This process may have more boxes from other tests; the newest comes first."""
    client = docker.from_env()
    try:
        return [each["Id"] for each in client.api.containers(all=True, filters={"label": f"arena.owner={name}"})][:1]
    finally:
        client.close()


def test_worker_killed(launcher: Launcher, tmp_path: Path) -> None:
    bundle = write_bot(tmp_path / "bot", (HOSTILE / "import_loop.py").read_text())
    worker = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("worker_to_kill.py")), launcher.name, str(bundle.path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert worker.stdout is not None
    zygote, name = worker.stdout.readline().split()
    worker.kill()
    worker.wait()
    worker.stdout.close()
    killed = time.monotonic()
    while still_there(launcher, zygote, name):
        assert time.monotonic() - killed < 5
        time.sleep(0.02)
    # A second on an idle machine; the engine's bookkeeping waits for a core as everybody else.
    assert time.monotonic() - killed < 1 + os.getloadavg()[0] / 2


@pytest.mark.docker
@pytest.mark.usefixtures("engine")
def test_the_folder_of_a_killed_worker_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SANDBOX_DIR", str(tmp_path))
    for name, of in (("dead", f"{owner().rsplit('/', 1)[0]}/1"), ("alive", owner())):
        (tmp_path / f"arena-boxes-{name}").mkdir()
        (tmp_path / f"arena-boxes-{name}" / "owner").write_text(of)
    open_launcher("docker").close()
    assert [path.name for path in tmp_path.iterdir()] == ["arena-boxes-alive"]


def still_there(launcher: Launcher, zygote: str, name: str) -> bool:
    if launcher.name == "docker":
        return bool(owned_by(name))
    return Path(f"/proc/{zygote}").exists()


NOBODY_PYTHON = "/usr/bin/python3"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become nobody")
def test_a_worker_needs_not_be_root() -> None:
    """With Debian's Python, since this one may be in a folder that nobody else can enter."""
    probe = [NOBODY_PYTHON, "-c", f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"]
    if not Path(NOBODY_PYTHON).exists() or subprocess.run(probe, check=False).returncode:
        pytest.skip(f"no {NOBODY_PYTHON} of this version")
    root = Path(__file__).parents[2]
    script = f"""
import sys, tempfile
sys.path += {[str(root), str(Path(msgspec.__file__).parents[1])]}
from pathlib import Path
from arena.ruleset import TimeControl
from sandbox.bundle import prepare
from sandbox.process import ProcessLauncher
launcher = ProcessLauncher()
with tempfile.TemporaryDirectory() as folder:
  bundle = prepare({HONEST.encode()!r}, "bot.py", Path(folder))
  with launcher.start(bundle) as box, box.match(TimeControl(), "a") as session:
    session.load({load_message(AMPLE)})
    print(session.ask({question(1)}).value)
"""
    worker = subprocess.run(
        [NOBODY_PYTHON, "-B", "-c", script],
        user=65534,
        group=65534,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (worker.stdout, worker.stderr) == ("[]\n", "")


def test_a_bot_that_can_not_be_found_is_nobodys_loss(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    bundle = write_bot(tmp_path / "gone", HONEST)
    with launcher.start(bundle) as box:
        (tmp_path / "gone" / "bot.py").unlink()
        with box.match(AMPLE, "a") as session, pytest.raises(Forfeit, match="FileNotFoundError"):
            loaded(session)
