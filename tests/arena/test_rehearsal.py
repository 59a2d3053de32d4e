"""The games that a process plays before it forks."""

from __future__ import annotations

import random

import pytest

from arena import lays, wire
from arena.host import Host
from arena.rehearsal import rehearse


def test_it_fills_the_tables_without_an_error_and_draws_no_number_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    replies: list[wire.Message] = []
    answer = Host.answer

    def heard(host: Host, message: wire.Message) -> wire.Message:
        replies.append(answer(host, message))
        return replies[-1]

    monkeypatch.setattr(Host, "answer", heard)
    before = random.getstate()
    lays.answers.cache_clear()
    lays.leads.cache_clear()
    rehearse(2)
    assert random.getstate() == before
    assert len(replies) > 50
    assert not [reply for reply in replies if "error" in reply]
    assert lays.answers.cache_info().currsize > 20
    assert lays.leads.cache_info().currsize > 5
