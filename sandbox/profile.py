"""The container's system call filter, in Docker's JSON: what the zygote needs, and runc before it.

The bot's own filter (`sandbox.seccomp`) comes on top, in the child, and is much narrower.
"""

from __future__ import annotations

import json
from typing import Any

from sandbox.seccomp import PLAIN

ERRNO_ENOSYS = 38
NEW_NAMESPACES = 0x7E020000  # linux/sched.h: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
AF_UNIX = 1

_ZYGOTE = """
sendto recvfrom madvise openat fcntl ioctl prlimit64 setrlimit prctl seccomp capget capset
landlock_create_ruleset landlock_add_rule landlock_restrict_self
execve wait4 waitid kill tgkill connect sendmsg recvmsg getsockopt setsockopt socketpair
fstatfs statfs chdir fchdir setuid setgid setgroups setresuid setresgid fchown umask
"""


def container_profile() -> str:
    """The profile as the engine takes it."""
    rules: list[dict[str, Any]] = [
        {"names": [*PLAIN, *_ZYGOTE.split()], "action": "SCMP_ACT_ALLOW"},
        {
            "names": ["clone"],
            "action": "SCMP_ACT_ALLOW",
            "args": [{"index": 0, "value": NEW_NAMESPACES, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}],
        },
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": ERRNO_ENOSYS},
        {
            "names": ["socket"],
            "action": "SCMP_ACT_ALLOW",
            "args": [{"index": 0, "value": AF_UNIX, "op": "SCMP_CMP_EQ"}],
        },
    ]
    return json.dumps({"defaultAction": "SCMP_ACT_ERRNO", "syscalls": rules})
