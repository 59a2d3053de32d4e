"""What this machine can do to confine bots, and how to get more."""

from __future__ import annotations

import os
import platform
from typing import NamedTuple

from docker.errors import DockerException

from sandbox.clock import waited_ns
from sandbox.confine import tier
from sandbox.engine import connect
from sandbox.errors import NoSandbox
from sandbox.process import has_namespaces


class Finding(NamedTuple):
    subject: str
    good: bool
    found: str
    advice: str
    """What to do about it; nothing where it is good."""


def examine() -> list[Finding]:
    """One finding a subject."""
    confined = tier()
    return [
        Finding(
            "system call filter",
            confined.seccomp,
            f"{'' if confined.seccomp else 'not '}available on {platform.machine()}, Linux {platform.release()}",
            "" if confined.seccomp else "needs Linux with seccomp on x86_64 or aarch64; no launcher works without it",
        ),
        Finding(
            "Landlock",
            confined.landlock > 0,
            f"version {confined.landlock}" if confined.landlock else "not available",
            "" if confined.landlock else "needs Linux 5.13 with lsm=landlock,... ; without it bots can open no file",
        ),
        _namespaces(),
        _clock(),
        _engine(),
    ]


def _namespaces() -> Finding:
    given = has_namespaces()
    advice = "needs unprivileged user namespaces; without them the filter alone keeps processes off the network"
    return Finding("namespaces", given, f"{'' if given else 'not '}available to processes", "" if given else advice)


def _clock() -> Finding:
    counted = waited_ns(os.getpid()) is not None
    return Finding(
        "waiting for a core",
        counted,
        "counted by the kernel" if counted else "not counted by the kernel",
        "" if counted else "needs CONFIG_SCHED_INFO and /proc; without it a bot that sleeps is found out later",
    )


def _engine() -> Finding:
    try:
        client = connect()
    except NoSandbox as error:
        advice = "on Debian and Ubuntu: apt install docker.io; without an engine bots run as processes"
        return Finding("Docker engine", False, str(error), advice)
    try:
        version = client.version()
    except DockerException as error:
        return Finding("Docker engine", False, f"does not answer: {error}", "see its log")
    finally:
        client.close()
    return Finding("Docker engine", True, f"{version['Version']}, API {version['ApiVersion']}", "")
