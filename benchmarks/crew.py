"""Workers on machines of their own, each with credentials of its own, that join and leave; and what they played."""

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

import psycopg
import redis

from benchmarks.machines import Machine
from benchmarks.servers import postgresql_programs
from benchmarks.stack import ROOT, Stack

RIGHTS = ROOT / "deploy" / "worker"
PATIENCE_S = 180.0
LOOK_EVERY_S = 0.1
Found = TypeVar("Found")


class Crew:
    """The workers that are there at the moment, of one pool process each."""

    def __init__(self, platform: Stack, machines: Sequence[Machine]) -> None:
        self._platform = platform
        self._settings = {machine: self._admit(machine) for machine in machines}
        self._working: dict[Machine, subprocess.Popen[bytes]] = {}
        self._database = psycopg.connect(platform.postgresql.url, autocommit=True)

    def become(self, number: int) -> None:
        """Let workers join, or the last ones leave, until there are so many."""
        while len(self._working) < number:
            self.join()
        while len(self._working) > number:
            self.leave()

    def join(self) -> None:
        machine = next(each for each in self._settings if each not in self._working)
        self._working[machine] = self._platform.start(
            "worker", machine.name, prefix=machine.prefix, settings=self._settings[machine]
        )

    def leave(self) -> None:
        """The last that joined is told to leave, and gives back what it plays."""
        _, process = self._working.popitem()
        process.terminate()
        process.wait(PATIENCE_S)

    def kill(self) -> int:
        """Kill the last that joined while it plays; the match that it held."""
        machine = list(self._working)[-1]
        held = self.expect(lambda: self._held(machine), f"a match that {machine.name} plays")
        process = self._working.pop(machine)
        process.kill()
        process.wait(PATIENCE_S)
        return held

    def finished(self, since: datetime) -> list[tuple[str, datetime]]:
        """Who played each of the matches that ended after that moment, by name of the machine, and when it ended."""
        return self._database.execute(
            "SELECT split_part(worker, '/', 1), finished_at FROM matches_match"
            " WHERE status = 'played' AND finished_at > %s ORDER BY finished_at",
            [since],
        ).fetchall()

    def all_played_since(self, since: datetime) -> bool:
        """Whether each of the workers has ended a match after that moment."""
        return {machine.name for machine in self._working} <= {name for name, _ in self.finished(since)}

    def number(self, query: str, *parameters: object) -> float:
        """The one number that this query finds; 0 where it finds none."""
        row = self._database.execute(query, parameters).fetchone()
        return float(row[0] or 0) if row else 0.0

    def expect(self, look: Callable[[], Found], what: str) -> Found:
        """What `look` finds, as soon as it finds something.

        Raises:
            SystemExit: it does not in time; says what the workers' logs say.
        """
        ends = time.monotonic() + PATIENCE_S
        while not (found := look()):
            if time.monotonic() > ends:
                said = [path.read_text(errors="replace")[-1_000:] for path in self._platform.folder.glob("*.log")]
                sys.exit(f"expected {what} within {PATIENCE_S:.0f} s; the logs say:\n{''.join(said)}")
            time.sleep(LOOK_EVERY_S)
        return found

    def _held(self, machine: Machine) -> int:
        """A match that it has just begun; 0 where there is none."""
        held = (
            "SELECT id FROM matches_match WHERE status = 'running' AND split_part(worker, '/', 1) = %s"
            " AND started_at > now() - interval '1 second'"
        )
        return int(self.number(held, machine.name))

    def _admit(self, machine: Machine) -> dict[str, str]:
        """Give that machine's worker its rights, as docs/operations.md says; the environment that it needs."""
        postgresql, broker = self._platform.postgresql, self._platform.redis
        name, password = machine.name, postgresql.password[::-1]
        psql = [str(postgresql_programs() / "psql"), "--quiet", "--no-psqlrc", "--set", f"name={name}"]
        psql += ["--set", f"password={password}", "--file", str(RIGHTS / "postgresql.sql"), postgresql.url]
        subprocess.run(psql, check=True)  # noqa: S603
        rule = (RIGHTS / "redis.conf").read_text().replace("NAME", name).replace("PASSWORD", password).split()
        with redis.Redis.from_url(broker.url) as client:
            client.execute_command("ACL", "SETUSER", *rule[1:])
        home = self._platform.folder / name
        home.mkdir()
        return {
            "DATABASE_URL": f"postgres://{name}:{password}@{postgresql.host}:{postgresql.port}/arena",
            "REDIS_URL": f"redis://{name}:{password}@{broker.host}:{broker.port}/0",
            "ARENA_HOME": str(home),
            "CELERY_WORKER_CONCURRENCY": "1",
        }
