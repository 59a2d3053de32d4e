"""Machines on which bots run out of time more often than the same bots do on others.

It is CPU time that counts, so a busy machine takes nothing from a bot, but a slow one does. Bots differ more than
machines do, and a worker plays one bot for long while its sandbox is warm. So each bot is compared with itself: of its
matches that ended so each machine should have its share (the test of Mantel and Haenszel, with bots as strata).
"""

from collections import Counter, defaultdict
from math import sqrt
from typing import NamedTuple

from league.matches.models import Match

LAST = 5_000
LEAST = 5.0
SIGMAS = 4.0
"""One in 30,000 machines that are as quick as the others is taken for a slow one."""


class Slow(NamedTuple):
    """Such a machine."""

    host: str
    late: int
    """Bots that ran out of time there, in the last matches of the league."""
    expected: float
    matches: list[int]
    """Those in which they did, the latest first."""


def slow() -> list[Slow]:
    """All such machines, by name."""
    played, late = Bots(), Bots()
    matches: dict[str, list[int]] = defaultdict(list)
    columns = ("pk", "worker", "version_a_id", "version_b_id", "forfeits", "termination")
    last = Match.objects.finished().filter(status=Match.Status.PLAYED).order_by("-finished_at", "-pk")
    for pk, worker, a, b, forfeits, termination in last.values_list(*columns)[:LAST]:
        host = worker.partition("/")[0]
        for version, seat in ((a, "A"), (b, "B")):
            played.count(version, host)
            if termination == Match.Termination.TIME and seat in forfeits:
                late.count(version, host)
                matches[host].append(pk)
    return [found for host in sorted(matches) if (found := _judge(host, matches[host], played, late))]


class Bots:
    """How often something was in matches of each version, on each machine and on all."""

    def __init__(self) -> None:
        self.on: Counter[tuple[int, str]] = Counter()
        self.of: Counter[int] = Counter()

    def count(self, version: int, host: str) -> None:
        self.on[version, host] += 1
        self.of[version] += 1


def _judge(host: str, matches: list[int], played: Bots, late: Bots) -> Slow | None:
    """That machine, with the matches in which bots were late there, if it is slow."""
    expected = variance = 0.0
    for version, ended in late.of.items():
        here, everywhere = played.on[version, host], played.of[version]
        expected += here * ended / everywhere
        if everywhere > 1:
            among = everywhere**2 * (everywhere - 1)
            variance += here * (everywhere - here) * ended * (everywhere - ended) / among
    surplus = len(matches) - expected
    if surplus < LEAST or surplus < SIGMAS * sqrt(variance):
        return None
    return Slow(host, len(matches), expected, matches)
