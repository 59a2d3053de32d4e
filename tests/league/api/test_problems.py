from __future__ import annotations

import logging

import pytest

from league.api import queue
from tests.league.api.programs import Program


def test_a_fault_of_the_site_is_noted_and_told_as_one(
    public: Program, db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError("no disk")

    monkeypatch.setattr(queue.matches, "queued", fail)
    with caplog.at_level(logging.ERROR):
        told = public.get("/queue")
    assert (told.status, told.json["code"], told.json["field"]) == (500, "internal", None)
    assert "no disk" not in told.json["message"]
    assert "RuntimeError: no disk" in caplog.text


def test_a_parameter_that_is_not_known_is_the_field_of_the_problem(public: Program, db: None) -> None:
    told = public.get("/matches", before=3)
    assert (told.status, told.json["code"], told.json["field"]) == (422, "invalid", "before")
