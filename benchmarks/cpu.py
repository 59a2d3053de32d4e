"""CPU time of processes."""

import os
from collections import defaultdict
from pathlib import Path

TICKS_A_S = os.sysconf("SC_CLK_TCK")


def used_s(process: int) -> float:
    """Seconds that this process, its descendants and those of them that have ended and were waited for have used."""
    children: dict[int, list[int]] = defaultdict(list)
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        number = int(path.parent.name)
        children[int(fields[1])].append(number)
        ticks[number] = sum(map(int, fields[11:15]))
    found, left = 0, [process]
    while left:
        number = left.pop()
        found += ticks.get(number, 0)
        left += children[number]
    return found / TICKS_A_S
