"""The bots' system call filter, run by an interpreter of its few instructions for both machines and every call."""

from __future__ import annotations

import errno
import platform
import re
import struct
from pathlib import Path

import pytest

from sandbox import seccomp
from sandbox.seccomp import PLAIN
from sandbox.syscalls import MACHINES

PID = 4711
ALLOWED, KILLED = 0x7FFF0000, 0x80000000  # linux/seccomp.h: SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS
REFUSED, ABSENT = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS  # SECCOMP_RET_ERRNO with its number
ABIS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # linux/audit.h
OTHER_ABIS = {"i386": 0x40000003, "arm": 0x40000028, "riscv64": 0xC00000F3}
X32 = 0x40000000  # asm/unistd.h: __X32_SYSCALL_BIT
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
ARGUMENTS = [(0,) * 6, (1, 2, 3, 4, 5, 6), (2**64 - 1,) * 6, (PID, PID, 0, 0, 0, 0)]
FORBIDDEN = """
accept 43 202
add_key 248 217
bind 49 200
bpf 321 280
chmod 90 -
chroot 161 51
clone 56 220
connect 42 203
execve 59 221
execveat 322 281
fanotify_init 300 262
finit_module 313 273
fork 57 -
init_module 175 105
io_uring_setup 425 425
kexec_load 246 104
keyctl 250 219
linkat 265 37
memfd_create 319 279
memfd_secret 447 447
mkdirat 258 34
mount 165 40
move_mount 429 429
mq_open 240 180
msgget 68 186
name_to_handle_at 303 264
open 2 -
open_by_handle_at 304 265
openat2 437 437
open_tree 428 428
perf_event_open 298 241
personality 135 92
pidfd_getfd 438 438
pidfd_open 434 434
pidfd_send_signal 424 424
pivot_root 155 41
prctl 157 167
process_vm_readv 310 270
process_vm_writev 311 271
ptrace 101 117
quotactl 179 60
reboot 169 142
recvmsg 47 212
request_key 249 218
seccomp 317 277
semget 64 190
sendmsg 46 211
setns 308 268
setrlimit 160 164
setuid 105 146
shmget 29 194
signalfd4 289 74
socket 41 198
splice 275 76
symlinkat 266 36
syslog 103 116
tkill 200 130
truncate 76 45
umount2 166 39
unlinkat 263 35
unshare 272 97
userfaultfd 323 282
vfork 58 -
vmsplice 278 75
"""
"""Calls that a bot must never make, with their numbers on x86_64 and aarch64 as the kernel's tables have them."""
GUARDED = [
    ("openat", (0, 0, 0o0), ALLOWED),  # O_RDONLY
    ("openat", (0, 0, 0o2000000), ALLOWED),  # O_CLOEXEC
    ("openat", (0, 0, 0o1), REFUSED),  # O_WRONLY
    ("openat", (0, 0, 0o2), REFUSED),  # O_RDWR
    ("openat", (0, 0, 0o100), REFUSED),  # O_CREAT
    ("openat", (0, 0, 0o1000), REFUSED),  # O_TRUNC
    ("openat", (0, 0, 0o20000000), REFUSED),  # __O_TMPFILE
    *[("fcntl", (0, command), ALLOWED) for command in (0, 1, 2, 3, 4, 1030)],
    *[("fcntl", (0, command), REFUSED) for command in (5, 6, 7, 8, 10, 15, 36, 37, 1024, 1026, 1031, 1033)],
    ("ioctl", (0, 0x5412), REFUSED),  # TIOCSTI
    *[("sendto", (0, 0, 0, flags), ALLOWED) for flags in (0, 0x40, 0x4000, 0x4040)],  # MSG_DONTWAIT, MSG_NOSIGNAL
    *[("sendto", (0, 0, 0, flags), REFUSED) for flags in (0x1, 0x41, 0x8000)],  # MSG_OOB, MSG_MORE
    *[("recvfrom", (0, 0, 0, flags), ALLOWED) for flags in (0, 0x2, 0x40, 0x100)],  # MSG_PEEK, MSG_WAITALL
    *[("recvfrom", (0, 0, 0, flags), REFUSED) for flags in (0x1, 0x2000)],  # MSG_OOB, MSG_ERRQUEUE
    *[("madvise", (0, 0, advice), ALLOWED) for advice in (0, 1, 2, 3, 4, 8, 14, 15)],
    *[("madvise", (0, 0, advice), REFUSED) for advice in (9, 10, 12, 21, 100)],  # REMOVE, DONTFORK, MERGEABLE, ...
    ("kill", (PID, 15), ALLOWED),
    ("kill", (PID, 9), REFUSED),
    ("kill", (PID + 1, 15), REFUSED),
    ("kill", (0, 15), REFUSED),
    ("kill", (2**64 - 1, 15), REFUSED),
    ("tgkill", (PID, PID, 15), ALLOWED),
    ("tgkill", (PID, PID, 9), REFUSED),
    ("tgkill", (1, PID, 15), REFUSED),
    ("prlimit64", (0, 7, 0, 4096), ALLOWED),
    ("prlimit64", (1, 7, 0, 4096), REFUSED),
    ("prlimit64", (0, 7, 4096, 0), REFUSED),
    ("prlimit64", (0, 7, 1 << 32, 0), REFUSED),
    ("socketpair", (1, 1), ALLOWED),  # AF_UNIX, SOCK_STREAM
    ("socketpair", (1, 1 | 0o2000000), ALLOWED),  # SOCK_CLOEXEC
    ("socketpair", (1, 2), REFUSED),  # SOCK_DGRAM
    ("socketpair", (1, 5), REFUSED),  # SOCK_SEQPACKET
    ("socketpair", (2, 1), REFUSED),  # AF_INET
    ("clone3", (4096, 88), ABSENT),
]


@pytest.fixture(params=sorted(ABIS))
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(platform, "machine", lambda: request.param)
    return str(request.param)


def verdict(program: bytes, number: int, abi: int, arguments: tuple[int, ...] = ()) -> int:
    """What the kernel would answer: its interpreter, for the instructions that filters use (linux/bpf_common.h)."""
    data = struct.pack("<IIQ6Q", number & 0xFFFFFFFF, abi, 0, *arguments, *(0,) * (6 - len(arguments)))
    code = [struct.unpack_from("<HBBI", program, start) for start in range(0, len(program), 8)]
    place = accumulator = 0
    while True:
        kind, if_true, if_false, constant = code[place]
        place += 1
        match kind:
            case 0x20:  # BPF_LD | BPF_W | BPF_ABS
                (accumulator,) = struct.unpack_from("<I", data, constant)
            case 0x54:  # BPF_ALU | BPF_AND | BPF_K
                accumulator &= constant
            case 0x15:  # BPF_JMP | BPF_JEQ | BPF_K
                place += if_true if accumulator == constant else if_false
            case 0x35:  # BPF_JMP | BPF_JGE | BPF_K
                place += if_true if accumulator >= constant else if_false
            case 0x45:  # BPF_JMP | BPF_JSET | BPF_K
                place += if_true if accumulator & constant else if_false
            case 0x06:  # BPF_RET | BPF_K
                return int(constant)
            case _:
                raise AssertionError(f"no instruction of filters: {kind:#x}")


def test_calls_that_are_allowed_and_no_others_are(machine: str) -> None:
    program = seccomp.of_process(PID, seccomp.program())
    numbers = MACHINES[machine].numbers
    allowed = {numbers[name] for name in PLAIN if name in numbers}
    guarded = {numbers[name] for name, _, _ in GUARDED}
    assert len(allowed) > 70
    assert not allowed & guarded
    for number in set(range(601)) - guarded:
        expected = ALLOWED if number in allowed else REFUSED
        assert {verdict(program, number, ABIS[machine], each) for each in ARGUMENTS} == {expected}, number


def test_calls_of_other_machines_kill(machine: str) -> None:
    program = seccomp.of_process(PID, seccomp.program())
    others = [abi for name, abi in {**ABIS, **OTHER_ABIS}.items() if name != machine]
    assert {verdict(program, number, abi) for abi in others for number in range(601)} == {KILLED}


def test_calls_of_x32_kill_and_numbers_out_of_range_do_nothing(machine: str) -> None:
    program = seccomp.of_process(PID, seccomp.program())
    expected = KILLED if machine == "x86_64" else REFUSED
    for number in (*range(X32, X32 + 601), 2**32 - 1, 2**31):
        assert verdict(program, number, ABIS[machine]) == expected, number


@pytest.mark.parametrize(
    ("name", "arguments", "expected"), GUARDED, ids=[f"{name}{arguments}" for name, arguments, _ in GUARDED]
)
def test_guarded_calls_depend_on_their_arguments(
    machine: str, name: str, arguments: tuple[int, ...], expected: int
) -> None:
    program = seccomp.of_process(PID, seccomp.program())
    assert verdict(program, MACHINES[machine].numbers[name], ABIS[machine], arguments) == expected


def test_the_guarded_calls_are_all_tried(machine: str) -> None:
    assert {name for name, _, _ in GUARDED} == set(seccomp._guarded(PID))


def test_a_bot_that_opens_no_file_can_not_open_one_to_read(machine: str) -> None:
    openat = MACHINES[machine].numbers["openat"]
    assert verdict(seccomp.of_process(PID, seccomp.program()), openat, ABIS[machine]) == ALLOWED
    assert verdict(seccomp.of_process(PID, seccomp.program(opens_files=False)), openat, ABIS[machine]) == REFUSED


def test_what_a_bot_must_never_call_is_refused(machine: str) -> None:
    program = seccomp.of_process(PID, seccomp.program())
    column = 1 + sorted(ABIS, reverse=True).index(machine)
    for line in FORBIDDEN.strip().splitlines():
        number = line.split()[column]
        if number != "-":
            answers = {verdict(program, int(number), ABIS[machine], each) for each in ARGUMENTS}
            assert answers == {REFUSED}, line


def kernel_numbers(header: Path) -> dict[str, int]:
    """The numbers in a header of the kernel, as a 64-bit program sees them."""
    text = header.read_text()
    numbers = {name: int(number) for name, number in re.findall(r"^#define __NR_(\w+)\s+(\d+)\b", text, re.MULTILINE)}
    by_width = dict(re.findall(r"^#define __NR3264_(\w+)\s+(\d+)\b", text, re.MULTILINE))
    wide = text.partition("__BITS_PER_LONG == 64 && !defined(__SYSCALL_COMPAT)\n#define __NR_fcntl")
    aliases = re.findall(r"#define __NR_(\w+) __NR3264_(\w+)", "".join(wide[1:]).partition("#else")[0])
    return numbers | {name: int(by_width[alias]) for name, alias in aliases if alias in by_width}


@pytest.mark.parametrize("machine_", sorted(HEADERS))
def test_the_tables_are_those_of_the_kernels_headers(machine_: str) -> None:
    if not HEADERS[machine_].exists():
        pytest.skip(f"no {HEADERS[machine_]}; Debian's linux-libc-dev has it")
    kernel = kernel_numbers(HEADERS[machine_])
    ours = MACHINES[machine_].numbers
    assert len(kernel) > 300
    assert {name: kernel.get(name) for name in ours} == ours
    column = 1 + sorted(HEADERS, reverse=True).index(machine_)
    rows = [line.split() for line in FORBIDDEN.strip().splitlines()]
    expected = {row[0]: None if row[column] == "-" else int(row[column]) for row in rows}
    assert {name: kernel.get(name) for name in expected} == expected
    # What has no number here is not there, rather than forgotten.
    missing = {name for each in MACHINES.values() for name in each.numbers} - set(ours)
    assert not missing & set(kernel)
