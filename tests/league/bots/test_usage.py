from __future__ import annotations

import zlib

from arena.usage import Call, Usage
from league.bots import usage
from league.bots.models import Report

CALLS = [
    Call(0, 0, "load", 0.0412, 0.0502),
    Call(0, 0, "match_start", 0.0, 0.001),
    Call(1, 4, "play", 0.0123, 0.0143),
    Call(12, 63, "choose_pile", None, 31.25),
]


def kept(used: Usage | None) -> Usage | None:
    return usage.usage(Report(**usage.columns(used)))


def test_what_is_stored_is_read_again() -> None:
    used = Usage(41_984, 1.25, CALLS)
    assert kept(used) == used


def test_a_bot_without_a_call_has_its_figures_alone() -> None:
    assert kept(Usage(9_000, 0.0, [])) == Usage(9_000, 0.0, [])


def test_nothing_is_known_where_nothing_was_measured() -> None:
    assert kept(None) is None
    assert usage.usage(Report()) is None


def test_cpu_times_are_as_fine_as_those_of_a_record() -> None:
    found = kept(Usage(1, 0.0, [Call(1, 1, "play", 0.000_149, 0.000_151)]))
    assert found is not None
    assert found.calls == [Call(1, 1, "play", 0.0001, 0.0001)]


def test_what_the_clock_has_beyond_cpu_time_is_kept_by_the_millisecond() -> None:
    calls = [Call(1, 1, "play", 0.02, 0.0214), Call(1, 2, "play", 0.02, 0.0216), Call(1, 3, "play", None, 0.0003)]
    found = kept(Usage(1, 0.0, calls))
    assert found is not None
    assert [call.wall_s for call in found.calls] == [0.021, 0.022, 0.0003]


def test_numbers_are_stored_as_protocol_buffers_have_them() -> None:
    calls = usage.columns(Usage(1, 0.0, [Call(1, 1, "play", None, 0.015), Call(2, 1, "play", 0.0, 0.0)]))["calls"]
    games, decisions = b"\x02\x02", b"\x02\x00"
    names, cpu, beyond = b"\x02\x02", b"\x01\x00", b"\xac\x02\x00"  # play; -1 and 0; 150 and 0 ticks
    assert zlib.decompress(calls) == b"\x01" + games + decisions + names + cpu + beyond


def test_what_was_stored_as_json_is_still_read() -> None:
    stored = zlib.compress(b"[[0,1],[0,4],[0,3],[412,-1],[90,312500]]")
    found = usage.usage(Report(memory_peak_kib=1, cpu_s=0.0, calls=stored))
    assert found is not None
    assert found.calls == [Call(0, 0, "load", 0.0412, 0.0502), Call(1, 4, usage.METHODS[3], None, 31.25)]


def test_a_long_match_takes_two_kilobytes() -> None:
    """As many calls as a bot gets in twelve games, with times that are all different."""
    calls = [
        Call(1 + each // 50, 1 + each % 50, "choose_pile" if each % 3 else "play", each * 7 % 40 / 10_000, each % 9)
        for each in range(600)
    ]
    assert len(usage.columns(Usage(9_000, 1.0, calls))["calls"]) < 2_048
