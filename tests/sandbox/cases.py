"""What must become of the bots under hostile/ that need no more than a match to show it."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.outcome import Termination
from arena.ruleset import TimeControl
from sandbox.limits import Limits
from tests.sandbox.harness import SHORT

COMPLETED, TIME, CRASH = Termination.COMPLETED, Termination.TIME, Termination.CRASH
MEMORY, PROTOCOL, ILLEGAL = Termination.MEMORY, Termination.PROTOCOL, Termination.ILLEGAL
AMPLE_LOAD = TimeControl(load_s=5.0, decision_s=0.5, bank_s=5.0)
"""For bots that make thousands of attempts when they are loaded."""

SLOW = TimeControl(load_s=1.0, decision_s=20.0, bank_s=30.0)
SMALL = Limits(memory_mib=64)


@dataclass(frozen=True)
class Case:
    """A module, in one of its ways, and how its match ends."""

    module: str
    ends: Termination
    words: str = ""
    """In the reason."""
    way: object = None
    """Put in the place of the module's own `WAY`."""
    refused: int = 0
    """How many of its attempts say that they were refused, at least."""
    printed: str = ""
    time_control: TimeControl = SHORT
    limits: Limits = field(default_factory=Limits)
    slowly: bool = False
    """It takes many decisions until it is found out."""
    machine: str = ""
    """The only machine that its code, or its numbers of system calls, are for."""

    @property
    def name(self) -> str:
        return self.module if self.way is None else f"{self.module}: {self.way}"

    @property
    def limit_s(self) -> float:
        """Wall time of a match in which the bot is found to be too slow."""
        return self.time_control.load_s if "at load" in self.words else self.time_control.decision_s


def _each(module: str, ends: Termination, words: str, ways: tuple[object, ...], **other: object) -> list[Case]:
    return [Case(module, ends, words, way, **other) for way in ways]  # type: ignore[arg-type]


BAD_REPLIES = (
    "deep", "nan", "infinity", "true", "float id", "text id", "huge id", "extra key", "double key", "missing key",
    "object", "null", "number", "win", "winner", "other kind", "many cards", "bom", "nul", "spaces", "two",
    "exactly a line", "a byte more",
)  # fmt: skip

CASES = [
    # Time
    *_each("c_level_hog", TIME, "CPU time", ("pow", "sum", "regex")),
    Case("just_under_limit", TIME, "the bank of 2 s", slowly=True),
    Case("cpu_slices", TIME, "the bank of 0.5 s", time_control=TimeControl(1.0, 0.3, 0.5), slowly=True),
    Case("sleep_slices", TIME, "slept away", time_control=TimeControl(1.0, 0.3, 0.5), slowly=True),
    Case("ignore_signals", TIME, "CPU time"),
    Case("stop_self", TIME, "asleep"),
    Case("never_reads", TIME),
    Case("slow_writer", TIME),
    Case("stderr_spam", TIME),
    Case("hash_collision", TIME, "CPU time"),
    # Crashes
    Case("import_exit", CRASH, "at load"),
    Case("parent_exits_first", CRASH, "exit status 0", refused=1),
    *_each("recursion", CRASH, "", ("call", "json", "pickle")),
    Case("recursion", CRASH, "", "no limit", time_control=TimeControl(0.5, 3.0, 5.0)),
    Case("abort_kill_self", CRASH, "SIGABRT", "abort"),
    Case("abort_kill_self", CRASH, "exit status 137", "killed"),
    *(Case("abort_kill_self", CRASH, name, name) for name in ("SIGTERM", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGXCPU")),
    *(Case("abort_kill_self", CRASH, name, name) for name in ("SIGSTKFLT", "SIGSYS", "SIGTRAP", "SIGALRM", "SIGIO")),
    *(Case("abort_kill_self", CRASH, f"signal {number} (Real-time", number) for number in (35, 40, 63)),
    *_each("abort_kill_self", CRASH, "SIGRTM", ("SIGRTMIN", "SIGRTMAX")),
    *_each("exit_with_code", CRASH, "exit status", (0, 1, 2, 255)),
    *_each(
        "base_exceptions",
        CRASH,
        "game 1, decision",
        ("own", "exit", "exit text", "interrupt", "generator", "stop", "cancelled", "group"),
    ),
    Case("base_exceptions", MEMORY, "", "memory"),
    *_each("hostile_repr", CRASH, "", ("repr", "exit", "type")),
    Case("hostile_repr", TIME, "", "endless"),
    Case("log_injection", CRASH, "ValueError"),
    *_each("half_closed", CRASH, "", ("answers", "questions")),
    *_each("endless_errors", CRASH, "", ("digits", "circle", "syntax")),
    *_each("endless_errors", CRASH, "", ("message", "notes", "chain", "groups"), time_control=SLOW),
    *_each("endless_errors", TIME, "", ("number", "endless notes")),
    *_each("hostile_class", CRASH, "at load", ("metaclass", "module", "loop", "attributes exit")),
    Case("hostile_class", TIME, "at load", "attributes hang"),
    Case("hostile_class", CRASH, "it was here", "changes"),
    *_each("exit_lists", CRASH, "SIGSEGV", ("thread pointer", "signal frame"), machine="x86_64"),
    *_each("reads_input", CRASH, "", ("input", "debugger")),
    Case("late_import", CRASH, "ModuleNotFoundError"),
    # Protocol
    Case("endless_stream", PROTOCOL, "longer than 65536 bytes"),
    *_each("bad_reply", PROTOCOL, "", BAD_REPLIES),
    *_each("answers_ahead", PROTOCOL, "at load", ("ready", "first question")),
    *_each("answers_ahead", PROTOCOL, "game 1", ("load", "next question")),
    *_each("dying_words", PROTOCOL, "", ("collector", "crash", "signal")),
    Case("patch_runner", CRASH, "exit status 1"),
    Case("wakeup_descriptor", PROTOCOL, refused=1),
    Case("closes_everything", CRASH, "closed its connection"),
    # Actions
    *_each("hostile_return", ILLEGAL, "", ("subclass", "dict", "nested")),
    *_each("hostile_return", CRASH, "", ("self", "coroutine", "number", "class")),
    *_each("hostile_return", MEMORY, "", ("endless", "generator"), time_control=SLOW, limits=SMALL),
    *_each(
        "lookalike_cards",
        ILLEGAL,
        "no card",
        ("fullwidth", "cyrillic", "combining", "surrogate", "nul", "right to left", "line", "paragraph", "next line"),
    ),
    Case("lookalike_cards", PROTOCOL, "", "long"),
    # Refused by the kernel; the bot plays on
    Case("ponder_thread", COMPLETED, refused=3),
    Case("ponder_timer", COMPLETED, refused=6, machine="x86_64"),
    Case("mem_sparse", COMPLETED, refused=4),
    Case("mem_creep", COMPLETED, time_control=TimeControl(2.0, 2.0, 30.0)),
    Case("mem_pipes", COMPLETED, refused=2),
    Case("fork_setsid", COMPLETED, refused=7, machine="x86_64"),
    Case("thread_bomb", COMPLETED, refused=1_000, time_control=AMPLE_LOAD),
    Case("subprocess_shell", COMPLETED, refused=5, time_control=AMPLE_LOAD),
    Case("exec_self", COMPLETED, refused=7, machine="x86_64"),
    Case("multiprocessing_pool", COMPLETED, refused=9, time_control=AMPLE_LOAD),
    Case("fd_exhaust", COMPLETED, refused=3),
    Case("disk_fill", COMPLETED, refused=11, machine="x86_64"),
    Case("pyc_poison", COMPLETED, refused=5, time_control=AMPLE_LOAD),
    Case("state_between_matches", COMPLETED, refused=5, printed="seen before: [0, 0, 0, 0, 0, 0]", machine="x86_64"),
    Case("state_covert", COMPLETED, refused=20, machine="x86_64"),
    Case("path_tricks", COMPLETED, refused=21, machine="x86_64"),
    Case("leaked_fd", COMPLETED, refused=10, machine="x86_64"),
    Case("kernel_toys", COMPLETED, refused=44, machine="x86_64"),
    Case("machine_code", CRASH, "SIGSYS", "int80", machine="x86_64"),
    Case("machine_code", CRASH, "SIGSYS", "x32", machine="x86_64"),
    Case("machine_code", COMPLETED, "", "syscall", refused=1, machine="x86_64"),
    Case("namespaces", COMPLETED, refused=26, machine="x86_64"),
    Case("mounts", COMPLETED, refused=19, machine="x86_64"),
    Case("setuid_gain", COMPLETED, refused=20),
    Case("limits_of_others", COMPLETED, refused=19),
    Case("proc_mem", COMPLETED, refused=44),
    Case("fd_flood", COMPLETED, refused=51),
    Case("forge_control", COMPLETED),
    Case("terminal_injection", COMPLETED, refused=26),
    Case("urgent_data", COMPLETED, refused=6),
    Case("pipe_games", COMPLETED, refused=34, machine="x86_64"),
    Case("memory_games", COMPLETED, refused=23, machine="x86_64"),
    Case("process_controls", COMPLETED, refused=26, machine="x86_64"),
    Case("slow_the_opponent", COMPLETED, refused=24, machine="x86_64"),
    Case("proc_self_writes", COMPLETED, refused=69),
    Case("path_handles", COMPLETED, refused=42, machine="x86_64"),
    Case("watchers", COMPLETED, refused=9, machine="x86_64"),
    Case("passes_to_itself", COMPLETED, refused=8),
    Case("numpy_misuse", COMPLETED, "", "files", refused=12, time_control=AMPLE_LOAD),
    *_each("numpy_misuse", MEMORY, "", ("touch", "dogged", "giant"), time_control=SLOW),
    Case("numpy_misuse", TIME, "CPU time", "more_threads"),
    # Hurts itself at most
    Case("byte_by_byte", COMPLETED),
    Case("dying_words", COMPLETED, "", "end"),
    *_each("closes_streams", COMPLETED, "", ("close", "detach", "replace", "none", "never blocks")),
    Case("exit_lists", COMPLETED, "", "lists", machine="x86_64"),
    Case("trace_runner", COMPLETED, printed="names: [] kinds: set()"),
    Case("rng_guess", COMPLETED, printed="state:"),
    Case("destructor_hang", COMPLETED),
    Case("import_hook", COMPLETED),
    Case("observation_tamper", COMPLETED, time_control=AMPLE_LOAD),
    Case("shadow_stdlib", COMPLETED, printed="own: json random socket helper"),
]
