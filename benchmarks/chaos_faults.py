"""What goes wrong in `make chaos`. A fault that lasts is ended later, while others come."""

import signal
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

import docker
from django.db import connection, connections, transaction
from docker.errors import DockerException
from redis import Redis as Client

from benchmarks import chaos_crew, chaos_league
from benchmarks.chaos_crew import Crew
from benchmarks.chaos_late import Latecomer
from benchmarks.chaos_league import League
from benchmarks.stack import Stack
from league import doorbell
from league.matches.models import Match
from league.tournaments import services as tournaments
from tests.own_engine import OwnEngine

AWAY_S, UPKEEP_AWAY_S = 4.0, 12.0
TO_HAPPEN_S = 15.0
"""So long a fault waits for what it is to meet, such as a match that is being played."""
TRIES = 6
TO_END_S = 60.0
REPEATED = 5
QUEUES = "checks", "matches", "upkeep"
WAITS = """
    SELECT application_name FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND application_name LIKE 'worker%' ORDER BY query_start LIMIT 1
"""


class Lasting(NamedTuple):
    """A fault that has begun."""

    subject: str
    is_over: Callable[[], bool]
    end: Callable[[], None]
    latest: float
    """When it is ended even if it is not over."""


class Faults:
    def __init__(
        self, stack: Stack, engine: OwnEngine, crew: Crew, league: League, late: Latecomer, chance: Random
    ) -> None:
        self.happened: Counter[str] = Counter()
        self.ended: list[str] = []
        """Workers that ended by themselves."""
        self.standstills: list[str] = []
        """Times in which nobody could record, since somebody was stopped."""
        self.stayed: list[str] = []
        """Workers that did not end when they were told to."""
        self._stack = stack
        self._engine = engine
        self._crew = crew
        self._league = league
        self._late = late
        self._chance = chance
        self._lasting: list[Lasting] = []
        self.kinds: dict[str, Callable[[], bool | None]] = {
            "workers killed": self._kill_worker,
            "processes of a pool killed": self._kill_process,
            "workers stopped past their lease": self._stop_worker,
            "workers stopped while they record": self._stop_recording_worker,
            "workers ended in order": self._end_worker,
            "times that containers were removed": self._remove_containers,
            "times that Redis was emptied": self._empty_redis,
            "restarts of Redis": self._restart_redis,
            "absences of Redis": self._take_redis_away,
            "restarts of PostgreSQL, fast": lambda: self._restart_postgresql(signal.SIGINT),
            "restarts of PostgreSQL, immediate": lambda: self._restart_postgresql(signal.SIGQUIT),
            "restarts of the Docker engine": lambda: self._restart_engine(signal.SIGTERM),
            "restarts of the killed Docker engine": lambda: self._restart_engine(signal.SIGKILL),
            "times that messages were repeated": self._repeat_messages,
            "results posted late": lambda: self._soon(self._late.hold_match),
            "results posted twice": lambda: self._soon(self._late.record_twice),
            "verdicts posted late": self._late.hold_check,
            "absences of the clock": self._take_upkeep_away,
        }

    def happen(self, kind: str) -> None:
        """Let a fault of that kind begin; it is not counted where there is nothing that it could meet."""
        for _ in range(TRIES):
            self._league.keep_ahead()  # many of them need a match that is being played
            if self.kinds[kind]() is not False:
                self.happened[kind] += 1
                return

    def tick(self) -> None:
        """End what is over, and post what is late."""
        now = time.monotonic()
        for each in self._lasting[:]:
            if each.is_over() or now > each.latest:
                self._lasting.remove(each)
                each.end()
        self.ended += self._crew.replace_ended()
        self._late.post()

    def await_end(self, subject: str = "") -> bool:
        """Return when no fault of that subject lasts (by default, of any); whether all ended in time."""
        return self.until(lambda: not any(subject in each.subject for each in self._lasting), TO_END_S)

    def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait for that, and go on with what lasts; False where it did not come in time."""
        latest = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > latest:
                return False
            self.tick()
            time.sleep(0.1)
        return True

    def _last(self, subject: str, is_over: Callable[[], bool], end: Callable[[], None], seconds: float) -> None:
        self._lasting.append(Lasting(subject, is_over, end, time.monotonic() + seconds))

    def _soon(self, act: Callable[[], bool]) -> bool:
        """Whether that could be done before long."""
        return self.until(act, TO_HAPPEN_S)

    def _busy(self) -> chaos_crew.Process:
        """A worker that plays, where there is one before long; then it is in mid-match."""
        worker = self._crew.one()
        self.until(lambda: chaos_crew.plays(worker), TO_HAPPEN_S)
        return worker

    def _kill_worker(self) -> None:
        self._crew.kill(self._busy())

    def _kill_process(self) -> bool:
        return self._crew.kill_process(self._busy())

    def _stop_worker(self) -> bool:
        self.await_end("worker stopped")
        worker = self._busy()
        processes = self._crew.stop(worker)
        if not chaos_crew.plays(worker):
            self._crew.resume(worker, processes)
            return False
        held = chaos_crew.names(processes)
        self._last(
            "worker stopped",
            lambda: not Match.objects.running().filter(worker__in=held).exists(),
            lambda: self._crew.resume(worker, processes),
            TO_END_S,
        )
        return True

    def _stop_recording_worker(self) -> bool:
        """Stop a worker while it waits for the ladder's row, which then comes to it: it keeps all others waiting."""
        self.await_end("worker stopped")
        before = chaos_league.recorded()
        self.until(lambda: chaos_league.recorded() > before, TO_END_S)  # after a fault workers may be paused
        with transaction.atomic():
            tournaments.touch(tournaments.ladder())
            name = _waiting_worker()
            if not name:
                return False
            worker = self._crew.named(name)
            processes = self._crew.stop(worker)
        others = partial(chaos_league.has_recorded, chaos_league.recorded() + 1)

        def resume() -> None:
            if not others():
                self.standstills.append(f"behind process {worker.pid}, for {TO_END_S:.0f} s")
            self._crew.resume(worker, processes)

        self._last("worker stopped", others, resume, TO_END_S)
        return True

    def _end_worker(self) -> None:
        worker = self._busy()
        self._crew.end(worker)

        def note() -> None:
            if worker.poll() is None:
                self.stayed.append(f"process {worker.pid}, for {TO_END_S:.0f} s")

        self._last("worker ended", lambda: worker.poll() is not None, note, TO_END_S)

    def _remove_containers(self) -> bool:
        self._busy()
        client = docker.DockerClient(self._engine.host)
        try:
            running = client.api.containers(filters={"label": "arena.role=sandbox"})
            for each in self._chance.sample(running, (len(running) + 1) // 2):
                try:
                    client.api.remove_container(each["Id"], force=True)
                except DockerException:  # it has ended by itself
                    continue
        finally:
            client.close()
        return bool(running)

    def _empty_redis(self) -> None:
        self.await_end("Redis")
        self._stack.redis.flush()

    def _restart_redis(self) -> None:
        self.await_end("Redis")
        self._stack.redis.stop()
        self._stack.redis.start()

    def _take_redis_away(self) -> None:
        self.await_end("Redis")
        self._stack.redis.stop(signal.SIGKILL)
        self._last("Redis", lambda: False, self._stack.redis.start, AWAY_S)

    def _restart_postgresql(self, how: signal.Signals) -> None:
        connections.close_all()
        self._stack.postgresql.stop(how)
        self._stack.postgresql.start()

    def _restart_engine(self, how: signal.Signals) -> None:
        self._busy()
        self._engine.stop(how)
        self._engine.start()

    def _repeat_messages(self) -> None:
        """Put each message that waits into its queue again and again, and some in which there is nothing to do."""
        self.await_end("Redis")
        with Client.from_url(self._stack.redis.url) as client:
            for task in (doorbell.CHECK, doorbell.PLAY):
                doorbell.ring(task)
            for queue in QUEUES:
                for message in client.lrange(queue, 0, -1):
                    client.lpush(queue, *[message] * REPEATED)

    def _take_upkeep_away(self) -> None:
        self.await_end("upkeep")
        self._crew.upkeep.send_signal(self._chance.choice((signal.SIGTERM, signal.SIGKILL)))
        self._crew.upkeep.wait(TO_END_S)
        self._last("upkeep", lambda: False, self._crew.restart_upkeep, UPKEEP_AWAY_S)


def _waiting_worker() -> str:
    """The name of the worker that waits longest for a row that this transaction keeps; empty if none does so soon."""
    latest = time.monotonic() + TO_HAPPEN_S
    while time.monotonic() < latest:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees what it has seen before
            cursor.execute(WAITS)
            for (name,) in cursor:
                return str(name)
        time.sleep(0.05)
    return ""
