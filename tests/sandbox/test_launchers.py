"""Which launcher is chosen, and what each says of itself."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from sandbox import NoSandbox, landlock, open_launcher, seccomp
from sandbox.confine import Tier
from sandbox.doctor import examine
from sandbox.launchers import Launcher
from sandbox.process import has_namespaces
from sandbox.syscalls import MACHINES
from tests.sandbox.harness import HONEST, write_bot

NO_ENGINE = "unix:///nonexistent/docker.sock"


def test_a_launcher_says_how_it_confines(launcher: Launcher) -> None:
    assert "seccomp" in launcher.describe()
    assert "\n" not in launcher.describe()


def test_without_an_engine_bots_run_as_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", NO_ENGINE)
    launcher = open_launcher("auto")
    assert launcher.name == "process"
    assert "no Docker engine answers" in launcher.describe()
    launcher.close()


def test_an_engine_that_is_asked_for_must_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", NO_ENGINE)
    with pytest.raises(NoSandbox, match="ARENA_SANDBOX=process"):
        open_launcher("docker")


@pytest.mark.docker
@pytest.mark.usefixtures("engine")
def test_with_an_engine_bots_run_in_containers() -> None:
    launcher = open_launcher("auto")
    assert launcher.name == "docker"
    launcher.close()


@pytest.mark.parametrize("tier", [Tier(False, 7), Tier(False, 0)])
def test_a_kernel_that_can_not_confine_is_refused(monkeypatch: pytest.MonkeyPatch, tier: Tier) -> None:
    monkeypatch.setenv("DOCKER_HOST", NO_ENGINE)
    monkeypatch.setattr("sandbox.process.tier", lambda use_landlock: tier)
    with pytest.raises(NoSandbox, match="can't confine a process"):
        open_launcher("process")
    with pytest.raises(NoSandbox, match=r"no Docker engine answers.*can't confine a process"):
        open_launcher("auto")


def test_a_kernel_without_landlock_is_a_lower_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", NO_ENGINE)
    monkeypatch.setattr("sandbox.process.tier", lambda use_landlock: Tier(True, 0))
    launcher = open_launcher("auto")
    assert "seccomp, no Landlock, so that bots can open no file" in launcher.describe()
    launcher.close()


@pytest.mark.skipif(not has_namespaces(), reason="this kernel gives processes no namespaces")
def test_a_process_has_namespaces_of_its_own(tmp_path: Path) -> None:
    launcher = open_launcher("process")
    assert "a network of their own" in launcher.describe()
    with launcher.start(write_bot(tmp_path / "bot", HONEST)) as box:
        assert box.namespaces
        for kind, shared in {"user": False, "net": False, "ipc": False, "pid": True, "mnt": True}.items():
            theirs, ours = (Path(f"/proc/{pid}/ns/{kind}").readlink() for pid in (box.pid, "self"))
            assert (theirs == ours) == shared, kind
    launcher.close()


def test_where_there_are_no_namespaces_the_launcher_does_not_boast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.process.has_namespaces", lambda: False)
    launcher = open_launcher("process")
    assert "network" not in launcher.describe()
    launcher.close()


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="ARENA_SANDBOX"):
        open_launcher("podman")


def test_the_doctor_looks_at_everything() -> None:
    findings = {finding.subject: finding for finding in examine()}
    assert set(findings) == {"system call filter", "Landlock", "namespaces", "waiting for a core", "Docker engine"}
    assert all(finding.good or finding.advice for finding in findings.values())


@pytest.mark.parametrize("machine", sorted(MACHINES))
def test_there_is_a_filter_for_each_machine(monkeypatch: pytest.MonkeyPatch, machine: str) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    code = seccomp.program()
    assert len(code) % 8 == 0
    assert len(code) // 8 < 4_096
    # The calls that the filter looks into exist everywhere, those that landlock makes as well.
    assert set(seccomp._guarded(1)) <= set(MACHINES[machine].numbers)
    assert MACHINES[machine].numbers["landlock_restrict_self"] == landlock.RESTRICT_SELF


def test_other_machines_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert not seccomp.available()
