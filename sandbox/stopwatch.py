"""Who is out of time. A bot spends CPU time: what it waits for a core of a busy machine is not charged.

Most answers come within `FIRST_LOOK_NS`; they cost one reading of the CPU clock. For a slower one the scheduler's
figures are read as well, which tell a bot that sleeps from one that was not let run.
"""

from __future__ import annotations

import time

from sandbox.clock import Clock, waited_ns

FIRST_LOOK_NS = 20_000_000
GRACE_NS = 250_000_000
"""How much longer than its limit a bot may be asleep: nothing that an honest bot does takes it off the core so long."""
OVERSLEPT_NS = 50_000_000
"""Who wakes up later than this after the time asked for was kept from running; that time is not held against bots."""
RUNNING_LOOK_NS = 10_000_000
"""When to look again at a bot that seems to have slept too long, but runs or waits for a core at this moment."""
BLIND_FACTOR = 10
"""Patience where the kernel does not count who waited for a core."""
S = 1_000_000_000
NO_BANK_NS = 1 << 62


class Stopwatch:
    """The clocks of one bot in one match."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._cpu = clock.cpu_ns()
        """The clock's reading when the last answer had come: what is used between the answers counts as well."""
        self._bank_ns = NO_BANK_NS
        self._bank_from = 0
        self._seen = self._seen_at = 0
        """The last reading for the bank, and the wall clock's before it: a dear clock is not read at each answer."""
        self._slept = 0
        """Of earlier decisions."""

    def bank(self, bank_s: float) -> None:
        """From here on, all decisions together have so much CPU time."""
        self._bank_ns = int(bank_s * S)
        self._seen_at = time.monotonic_ns()
        self._seen = self._bank_from = self._clock.cpu_ns()

    def start(self, limit_s: float, purpose: str) -> None:
        self._limit_s, self._purpose = limit_s, purpose
        self._limit = limit = int(limit_s * S)
        self._started = self._looked = now = time.monotonic_ns()
        self._check_at = now + (FIRST_LOOK_NS if limit > FIRST_LOOK_NS else limit)
        self._slow = False

    def wall_s(self) -> float:
        """Seconds since the question was asked, whatever the bot and this process did in them."""
        return (time.monotonic_ns() - self._started) / S

    def next_check_ms(self) -> float:
        return max(0, self._check_at - time.monotonic_ns()) / 1e6

    def due(self) -> bool:
        return time.monotonic_ns() >= self._check_at

    def overdue(self) -> str:
        """Why the bot is out of time, or nothing; then the next check is set."""
        now = time.monotonic_ns()
        if not self._slow:
            self._first_look(now)
        self._count_wall(now)
        cpu = self._clock.cpu_ns() - self._cpu
        awake = self._wall - self._waited()
        slept = max(0, awake - cpu)
        patience = self._limit + GRACE_NS if self._counted else BLIND_FACTOR * self._limit + GRACE_NS
        spent = [(self._limit - cpu, f"no answer within {self._limit_s:g} s of CPU time {self._purpose}")]
        rest = [(patience - awake, f"no answer {self._purpose} after {awake / S:.2f} s, most of it asleep")]
        if self._bank_ns < NO_BANK_NS:
            bank = f"the bank of {self._bank_ns / S:g} s"
            used = self._clock.cpu_ns() - self._bank_from
            spent.append((self._bank_ns - used, f"{bank} of CPU time for the match is used up"))
            rest.append((self._bank_ns - self._slept - slept, f"as much time slept away as is in {bank}"))
        if min(rest)[0] > 0 or self._clock.is_asleep():
            least, reason = min(spent + rest)
        else:
            least, reason = min(spent)
            least = min(least, RUNNING_LOOK_NS)
        self._check_at = now + max(least, 1_000_000)
        return reason if least <= 0 else ""

    def stop(self) -> tuple[float, str]:
        """The CPU seconds that the answer took, and why that was too long, or nothing."""
        if self._clock.cheap or self._slow:
            reading = self._clock.cpu_ns()
            used = reading - self._cpu
            self._cpu = reading
        else:
            used = time.monotonic_ns() - self._started
        if self._slow:
            self._count_wall(time.monotonic_ns())
            self._slept += max(0, self._wall - self._waited() - self._own_wait() - used)
        in_time = used <= self._limit and self._bank_used() <= self._bank_ns
        return used / S, "" if in_time else self._too_long(used)

    def _too_long(self, used: int) -> str:
        if used > self._limit:
            return f"{used / S:.3f} s of CPU time used {self._purpose}, of {self._limit_s:g} s"
        return f"the bank of {self._bank_ns / S:g} s of CPU time for the match is used up"

    def _bank_used(self) -> int:
        """CPU time since the bank began; with a dear clock as much as was seen, unless it may be the whole bank."""
        if self._clock.cheap:
            return self._cpu - self._bank_from
        now = time.monotonic_ns()
        # Since the last reading the bot has worked no longer than the wall clock went: a bot is one thread.
        if self._seen + now - self._seen_at - self._bank_from > self._bank_ns:
            self._seen, self._seen_at = self._clock.cpu_ns(), now
        return self._seen - self._bank_from

    def _first_look(self, now: int) -> None:
        """The scheduler's figures to start from; what was before is put down as time at work."""
        self._slow = True
        self._wall = 0
        self._waited_from = self._clock.waited_ns()
        self._counted = self._waited_from is not None
        self._own_from = waited_ns("thread-self") or 0
        if not self._clock.cheap:
            self._cpu = self._clock.cpu_ns() - min(now - self._started, FIRST_LOOK_NS)

    def _waited(self) -> int:
        if self._waited_from is None:
            return 0
        return (self._clock.waited_ns() or self._waited_from) - self._waited_from

    def _count_wall(self, now: int) -> None:
        """Adds what has passed since the last look, as far as this process was awake to see it."""
        self._wall += min(now - self._looked, self._check_at - self._looked + OVERSLEPT_NS)
        self._looked = now

    def _own_wait(self) -> int:
        return (waited_ns("thread-self") or 0) - self._own_from
