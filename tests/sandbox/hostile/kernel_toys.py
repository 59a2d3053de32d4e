"""Calls that have been the way out of sandboxes before, each with arguments that do no harm."""

from attempts import Honest, attempt, syscall

CALLS = {
    "bpf": (321, 0, bytes(128), 128),
    "perf_event_open": (298, bytes(128), 0, -1, -1, 0),
    "userfaultfd": (323, 0),
    "keyctl": (250, 0, -3, 0),
    "request_key": (249, b"user", b"arena", None, 0),
    "io_uring_setup": (425, 8, bytes(120)),
    "io_setup": (206, 8, bytes(8)),
    "ptrace": (101, 0, 0, 0, 0),
    "process_vm_readv": (310, 1, None, 0, None, 0, 0),
    "process_vm_writev": (311, 1, None, 0, None, 0, 0),
    "process_madvise": (440, 0, None, 0, 4, 0),
    "kcmp": (312, 1, 1, 0, 0, 0),
    "personality": (135, 0x0040000),
    "modify_ldt": (154, 0, bytes(16), 16),
    "iopl": (172, 3),
    "ioperm": (173, 0x80, 1, 1),
    "kexec_load": (246, 0, 0, None, 0),
    "init_module": (175, None, 0, b""),
    "finit_module": (313, 0, b"", 0),
    "delete_module": (176, b"arena", 0),
    "reboot": (169, 0, 0, 0, None),
    "swapon": (167, b"/arena", 0),
    "acct": (163, None),
    "quotactl": (179, 0, None, 0, None),
    "lookup_dcookie": (212, 0, None, 0),
    "vmsplice": (278, 1, None, 0, 0),
    "splice": (275, 0, None, 1, None, 1, 0),
    "tee": (276, 0, 1, 1, 0),
    "sendfile": (40, 1, 0, None, 1),
    "copy_file_range": (326, 0, None, 1, None, 1, 0),
    "fanotify_init": (300, 0, 0),
    "inotify_init1": (294, 0),
    "seccomp": (317, 1, 8, None),
    "landlock_create_ruleset": (444, None, 0, 1),
    "mbind": (237, None, 0, 0, None, 0, 0),
    "move_pages": (279, 0, 0, None, None, None, 0),
    "migrate_pages": (256, 0, 0, None, None),
    "pkey_alloc": (330, 0, 0),
    "mlockall": (151, 1),
    "remap_file_pages": (216, 0, 0, 0, 0, 0),
    "vhangup": (153,),
    "membarrier": (324, 0, 0),
    "futex_waitv": (449, None, 0, 0, None, 0),
    "pidfd_send_signal": (424, 0, 0, None, 0),
}  # fmt: skip


class Bot(Honest):
    def __init__(self):
        for name, (number, *arguments) in CALLS.items():
            attempt(name, lambda number=number, arguments=arguments: syscall(number, *arguments))
