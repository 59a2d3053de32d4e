"""The launcher for machines with a Docker engine: the zygote is PID 1 of a hardened container."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from docker.errors import APIError, ImageNotFound
from docker.types import LogConfig, Ulimit

from sandbox import image, numerics
from sandbox.box import BotBox
from sandbox.bundle import Bundle
from sandbox.confine import tier
from sandbox.control import CREDENTIALS
from sandbox.engine import NO_ANSWER, connect, knock
from sandbox.errors import NoSandbox, SandboxFault
from sandbox.interpreter import command
from sandbox.limits import Limits
from sandbox.owner import is_gone, make_folder, owner
from sandbox.profile import container_profile

MIB = 1024 * 1024
ZYGOTE_MIB, RUNTIME_MIB = 64, 320
"""Beside the bot's address space: the zygote, page tables, pipes; with a runtime of its own perhaps a kernel as well,
which would be killed with all that it runs. A bot gets a MemoryError, not the kernel's axe."""
PIDS, RUNTIME_PIDS = 32, 512
"""A kernel of its own, such as gVisor's, has its threads in the container's control group. No bot can start any."""
NOBODY = "65534:65534"
SWEEP_EVERY_S = 60.0
NEVER_STARTED_S = 300.0
EXPIRY_SLACK_S = 600.0

FOLDER = "arena-boxes-"
ROLE, OWNER, EXPIRES = "arena.role", "arena.owner", "arena.expires"
ROLE_SANDBOX = "sandbox"

# Docker's own list, then what tells a bot about the machine.
MASKED = [
    "/proc/asound", "/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list",
    "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/sys/firmware",
    "/sys", "/proc/uptime", "/proc/loadavg", "/proc/meminfo", "/proc/stat", "/proc/cpuinfo", "/proc/version",
    "/proc/vmstat", "/proc/interrupts", "/proc/diskstats",
]  # fmt: skip
READ_ONLY = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"]


class DockerLauncher:
    """Boxes as containers of the engine that the environment names."""

    name = "docker"

    def __init__(self, use_landlock: bool = True) -> None:
        """
        Args:
            use_landlock: Where the kernel has it; without, to try what becomes of bots on other kernels.

        Raises:
            NoSandbox: no engine answers, or the image or the folder of the sockets can't be made.
        """
        self._client = connect()
        self._owner = owner()
        try:
            self._version = self._client.version()["Version"]
            self._image = image.ensure(self._client)
            self._folder = make_folder(FOLDER, Path(os.environ.get("ARENA_SANDBOX_DIR") or tempfile.gettempdir()))
        except NO_ANSWER as error:
            self._client.close()
            raise NoSandbox(f"the engine answers, but boxes can't be made: {error}") from error
        self._use_landlock = use_landlock
        self._tier = tier(use_landlock)
        self._runtime = os.environ.get("ARENA_CONTAINER_RUNTIME") or None
        self._pid = os.getpid()
        self._count = 0
        self._sees_bots = True
        """If their processes are in this one's PID namespace, or below; known from the first box on."""
        self._boxes: list[BotBox] = []
        self._next_sweep = 0.0

    def describe(self) -> str:
        runtime = f", runtime {self._runtime}" if self._runtime else ""
        clock = "" if self._sees_bots else ", CPU time told by the containers"
        return f"containers of Docker engine {self._version}{runtime} ({self._tier}{clock})"

    def answers(self) -> bool:
        """If the engine does, so that boxes can be started."""
        try:
            knock()
            return bool(self._client.ping())
        except NO_ANSWER:
            return False

    def start(self, bundle: Bundle, limits: Limits = Limits()) -> BotBox:  # noqa: B008 - frozen
        """A box for that bot.

        Raises:
            SandboxFault: the engine refuses, or the container does not come up.
        """
        if time.monotonic() > self._next_sweep:
            self.sweep()
        self._count += 1
        folder = self._folder / str(self._count)
        container = ""
        try:
            knock()
            folder.mkdir()
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
                listener.bind(str(folder / "socket"))
                # The bot's user connects; who may get here is decided by the folder above.
                (folder / "socket").chmod(0o666)
                listener.listen(1)
                container = self._create(bundle.path.resolve(), folder, limits)
                self._client.api.start(container)
                connection = self._accept(listener, container, limits.start_s)
        except NO_ANSWER as error:
            with contextlib.suppress(SandboxFault):  # who comes after sweeps it
                self._remove(container, folder)
            raise SandboxFault(f"no container for the bot: {error}") from error
        self._sees_bots = _peer(connection) > 0
        box = BotBox(connection, limits, lambda: self._remove(container, folder))
        self._tier = replace(self._tier, landlock=box.landlock)
        self._boxes = [*(each for each in self._boxes if not each.closed), box]
        return box

    def sweep(self) -> int:
        """Removes containers that nobody owns any more; how many.

        Raises:
            SandboxFault: the engine does not answer.
        """
        removed = 0
        try:
            knock()
            found = self._client.api.containers(all=True, filters={"label": f"{ROLE}={ROLE_SANDBOX}"})
            for container in found:
                if is_orphan(container, time.time()):
                    removed += 1
                    with contextlib.suppress(APIError):
                        self._client.api.remove_container(container["Id"], force=True)
        except NO_ANSWER as error:
            raise SandboxFault(f"the engine does not answer: {error}") from error
        self._next_sweep = time.monotonic() + SWEEP_EVERY_S
        return removed

    def close(self) -> None:
        if os.getpid() != self._pid:
            return
        for box in self._boxes:
            box.close()
        self._boxes.clear()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._client.close()

    def _create(self, bot: Path, folder: Path, limits: Limits) -> str:
        config = json.dumps(
            {
                "bot": "/bot",
                "namespaces": False,
                "landlock": self._use_landlock,
                "control": "/run/arena/socket",
                "own_paths": [str(image.HOME)],
                "numpy": str(image.NUMPY) if numerics.is_wanted(bot) else None,
                **limits.as_dict(),
            }
        )
        labels = {
            ROLE: ROLE_SANDBOX,
            OWNER: self._owner,
            EXPIRES: str(int(time.time() + limits.life_s + EXPIRY_SLACK_S)),
        }
        create = partial(
            self._client.api.create_container,
            command=command("runner", config, str(image.HOME)),
            user=NOBODY,
            network_disabled=True,
            working_dir="/",
            hostname="arena",
            labels=labels,
            stop_signal="SIGKILL",  # it heeds no other, and an engine that is stopped would wait for it
            host_config=self._host_config(bot, folder, limits),
        )
        try:
            return str(create(self._image)["Id"])
        except ImageNotFound:  # whoever made room on the disk has removed it
            self._image = image.ensure(self._client)
            return str(create(self._image)["Id"])

    def _host_config(self, bot: Path, folder: Path, limits: Limits) -> dict[str, Any]:
        memory = self._memory_mib(bot, limits) * MIB
        config: dict[str, Any] = self._client.api.create_host_config(
            network_mode="none",
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges", f"seccomp={container_profile()}"],
            pids_limit=RUNTIME_PIDS if self._runtime else PIDS,
            mem_limit=memory,
            memswap_limit=memory,
            ipc_mode="none",
            ulimits=[
                Ulimit(name="nofile", soft=limits.open_files, hard=limits.open_files),
                Ulimit(name="core", soft=0, hard=0),
                Ulimit(name="fsize", soft=0, hard=0),
                Ulimit(name="msgqueue", soft=0, hard=0),
            ],
            log_config=LogConfig(type=LogConfig.types.NONE),
            binds={str(bot): {"bind": "/bot", "mode": "ro"}, str(folder): {"bind": "/run/arena", "mode": "ro"}},
            auto_remove=True,
            runtime=self._runtime,
        )
        config["MaskedPaths"], config["ReadonlyPaths"] = MASKED, READ_ONLY
        return config

    def _memory_mib(self, bot: Path, limits: Limits) -> int:
        """Of the container. What is no Linux may not limit what a process writes to: then addresses are the limit."""
        if not self._runtime:
            return limits.memory_mib + ZYGOTE_MIB
        return RUNTIME_MIB + (limits.numpy_space_mib if numerics.is_wanted(bot) else limits.memory_mib)

    def _accept(self, listener: socket.socket, container: str, within_s: float) -> socket.socket:
        """The zygote's connection; gives up at once when the container has ended."""
        deadline = time.monotonic() + within_s
        listener.settimeout(0.5)
        while True:
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                state = self._client.api.inspect_container(container)["State"]
                if not state["Running"]:
                    how = f"{state['Status']}, with exit status {state['ExitCode']} {state['Error']}"
                    raise OSError(f"it is {how.rstrip()}") from None
                if time.monotonic() > deadline:
                    raise OSError(f"it does not answer after {within_s:.0f} s") from None
            else:
                return connection

    def _remove(self, container: str, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        if not container:
            return
        try:
            knock()
            self._client.api.remove_container(container, force=True)
        except APIError as error:
            # The engine removes it by itself as well, when the zygote ends.
            if error.status_code not in (404, 409):
                raise SandboxFault(f"a container can't be removed: {error}") from error
        except NO_ANSWER as error:
            raise SandboxFault(f"the engine does not answer: {error}") from error


def _peer(connection: socket.socket) -> int:
    """The pid of the zygote as seen from here; 0 if it can't be seen."""
    pid, _, _ = CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size))
    return int(pid)


def is_orphan(container: dict[str, Any], now: float) -> bool:
    """If that entry of the engine's list can be removed."""
    labels = container["Labels"]
    expires = labels.get(EXPIRES, "0")
    if not expires.isdecimal() or int(expires) < now or is_gone(labels.get(OWNER, "")):
        return True
    return bool(container["State"] == "created" and container["Created"] < now - NEVER_STARTED_S)
