"""Machines on a network of their own: namespaces of this one, each with an address and a host name."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Network
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from benchmarks.servers import demand

PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
NAMED = re.compile(r"arena(\d+)(-\d+)?")
"""A bridge, or what hangs on it: with the id of the process that made it."""


class Machine(NamedTuple):
    name: str

    @property
    def prefix(self) -> tuple[str, ...]:
        """The beginning of a command that is to run there. It shares processes and files with this machine."""
        named = 'echo "$0" >/proc/sys/kernel/hostname && exec "$@"'
        return "ip", "netns", "exec", self.name, "unshare", "--uts", "/bin/sh", "-c", named, self.name


class Network(NamedTuple):
    host: str
    """The address at which the machines reach this one."""
    subnet: str
    machines: list[Machine]


@contextmanager
def connected(number: int) -> Iterator[Network]:
    """So many machines that reach this one by a bridge, and nothing else; all of it is gone after the block.

    Raises:
        SystemExit: this process may not make them, or a program is missing.
    """
    if os.geteuid() != 0:
        print("namespaces need root: run it with sudo", file=sys.stderr)
        sys.exit(2)
    demand({"ip": "iproute2", "unshare": "util-linux"})
    for left in _left_behind():
        _remove(left)
    bridge = f"arena{os.getpid()}"
    subnet = _unused()
    own, *addresses = list(subnet.hosts())[: number + 1]
    machines = [Machine(f"{bridge}-{place}") for place in range(1, number + 1)]
    try:
        _ip("link", "add", bridge, "type", "bridge")
        _ip("address", "add", f"{own}/{subnet.prefixlen}", "dev", bridge)
        _ip("link", "set", bridge, "up")
        for machine, address in zip(machines, addresses, strict=True):
            _ip("netns", "add", machine.name)
            _ip("link", "add", machine.name, "type", "veth", "peer", "name", "eth0", "netns", machine.name)
            _ip("link", "set", machine.name, "master", bridge, "up")
            _ip("-netns", machine.name, "address", "add", f"{address}/{subnet.prefixlen}", "dev", "eth0")
            for link in ("lo", "eth0"):
                _ip("-netns", machine.name, "link", "set", link, "up")
        yield Network(str(own), str(subnet), machines)
    finally:
        _remove(bridge)


def _unused() -> IPv4Network:
    """A private network that no route of this machine leads to."""
    routes = map(IPv4Network, re.findall(r"\b\d+(?:\.\d+){3}(?:/\d+)?", _ip("route", "show", "table", "all")))
    used = [route for route in routes if route.prefixlen >= 8]  # a wider one is but a default
    for subnet in chain.from_iterable(IPv4Network(private).subnets(new_prefix=24) for private in PRIVATE):
        if not any(subnet.overlaps(route) for route in used):
            return subnet
    sys.exit(f"all private networks ({', '.join(PRIVATE)}) are in use")


def _left_behind() -> set[str]:
    """The bridges of processes that were killed."""
    names = re.findall(r"\w+", _ip("-brief", "link", "show", "type", "bridge") + _ip("netns", "list"))
    found = {name[0]: int(name[1]) for word in names if (name := NAMED.fullmatch(word))}
    return {bridge for bridge, process in found.items() if not Path(f"/proc/{process}").exists()}


def _remove(bridge: str) -> None:
    for line in _ip("netns", "list").splitlines():
        name = line.split()[0]
        if name.startswith(f"{bridge}-"):
            subprocess.run(["ip", "link", "delete", name], check=False, stderr=subprocess.DEVNULL)  # noqa: S603, S607
            _ip("netns", "delete", name)
    subprocess.run(["ip", "link", "delete", bridge], check=False, stderr=subprocess.DEVNULL)  # noqa: S603, S607


def _ip(*arguments: str) -> str:
    """What ip says.

    Raises:
        SystemExit: it fails, as in a container that may not change its network.
    """
    ended = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607
    if ended.returncode:
        print(
            f"ip {' '.join(arguments)} failed: {ended.stderr.strip()}; be root of the machine itself", file=sys.stderr
        )
        sys.exit(2)
    return ended.stdout
