"""Numbers of the system calls that the filters name, for each machine.

x86_64: the kernel's arch/x86/entry/syscalls/syscall_64.tbl; aarch64: its include/uapi/asm-generic/unistd.h.
A call that a machine does not have is absent from its table.
"""

from __future__ import annotations

from typing import NamedTuple


class Machine(NamedTuple):
    audit: int
    """The kernel's name of the ABI in a filter's data (linux/audit.h)."""
    numbers: dict[str, int]


AUDIT_X86_64 = 0xC000003E
AUDIT_AARCH64 = 0xC00000B7

_BOTH = """
access 21 -
arch_prctl 158 -
bind 49 200
brk 12 214
capget 125 90
capset 126 91
chdir 80 49
clock_getres 229 114
clock_gettime 228 113
clock_nanosleep 230 115
clone 56 220
clone3 435 435
close 3 57
close_range 436 436
connect 42 203
dup 32 23
dup2 33 -
dup3 292 24
epoll_create 213 -
epoll_create1 291 20
epoll_ctl 233 21
epoll_pwait 281 22
epoll_pwait2 441 441
epoll_wait 232 -
eventfd2 290 19
execve 59 221
execveat 322 281
exit 60 93
exit_group 231 94
faccessat 269 48
faccessat2 439 439
fadvise64 221 223
fchdir 81 50
fchown 93 55
fchownat 260 54
fcntl 72 25
fork 57 -
fstat 5 80
fstatfs 138 44
futex 202 98
futex_waitv 449 449
get_robust_list 274 100
getcpu 309 168
getcwd 79 17
getdents64 217 61
getegid 108 177
geteuid 107 175
getgid 104 176
getgroups 115 158
getpeername 52 205
getpgid 121 155
getpgrp 111 -
getpid 39 172
getppid 110 173
getrandom 318 278
getresgid 120 150
getresuid 118 148
getrlimit 97 163
getrusage 98 165
getsid 124 156
getsockname 51 204
getsockopt 55 209
gettid 186 178
gettimeofday 96 169
getuid 102 174
ioctl 16 29
kill 62 129
landlock_add_rule 445 445
landlock_create_ruleset 444 444
landlock_restrict_self 446 446
lseek 8 62
lstat 6 -
madvise 28 233
mmap 9 222
mprotect 10 226
mremap 25 216
munmap 11 215
nanosleep 35 101
newfstatat 262 79
open 2 -
openat 257 56
openat2 437 437
pipe 22 -
pipe2 293 59
poll 7 -
ppoll 271 73
prctl 157 167
pread64 17 67
preadv 295 69
prlimit64 302 261
pselect6 270 72
pwrite64 18 68
pwritev 296 70
read 0 63
readlink 89 -
readlinkat 267 78
readv 19 65
recvfrom 45 207
recvmsg 47 212
restart_syscall 219 128
rseq 334 293
rt_sigaction 13 134
rt_sigpending 127 136
rt_sigprocmask 14 135
rt_sigreturn 15 139
rt_sigtimedwait 128 137
sched_getaffinity 204 123
sched_getparam 143 121
sched_getscheduler 145 120
sched_yield 24 124
seccomp 317 277
select 23 -
sendmsg 46 211
sendto 44 206
set_robust_list 273 99
set_tid_address 218 96
setgid 106 144
setgroups 116 159
setresgid 119 149
setresuid 117 147
setrlimit 160 164
setsockopt 54 208
setuid 105 146
shutdown 48 210
sigaltstack 131 132
socket 41 198
socketpair 53 199
stat 4 -
statfs 137 43
statx 332 291
tgkill 234 131
time 201 -
times 100 153
umask 95 166
uname 63 160
unlink 87 -
unlinkat 263 35
vfork 58 -
wait4 61 260
waitid 247 95
write 1 64
writev 20 66
"""


def _columns() -> tuple[dict[str, int], dict[str, int]]:
    x86_64: dict[str, int] = {}
    aarch64: dict[str, int] = {}
    for line in _BOTH.split("\n"):
        if line:
            name, on_x86_64, on_aarch64 = line.split()
            if on_x86_64 != "-":
                x86_64[name] = int(on_x86_64)
            if on_aarch64 != "-":
                aarch64[name] = int(on_aarch64)
    return x86_64, aarch64


_X86_64, _AARCH64 = _columns()
MACHINES = {"x86_64": Machine(AUDIT_X86_64, _X86_64), "aarch64": Machine(AUDIT_AARCH64, _AARCH64)}
