from __future__ import annotations

import logging
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from league.logs import Belonging


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """What is logged, with what it belongs to."""
    caplog.handler.addFilter(Belonging())
    return caplog


def fields(lines: pytest.LogCaptureFixture, logger: str) -> list[dict[str, Any]]:
    return [record.fields for record in lines.records if record.name == logger]  # type: ignore[attr-defined]


def test_every_request_has_a_number_of_its_own(client: Client, db: None) -> None:
    first, second = (client.get("/guide/")["X-Request-ID"] for _ in range(2))
    assert len(first) == len(second) == 32
    assert first != second


def test_the_number_of_the_proxy_is_kept(client: Client, settings: Settings, lines: pytest.LogCaptureFixture) -> None:
    settings.PROXIES = 1
    answer = client.get("/nowhere/", headers={"X-Request-ID": "proxy-1.7_a"})
    assert (answer.status_code, answer["X-Request-ID"]) == (404, "proxy-1.7_a")
    # Django says this once all middleware is done
    assert fields(lines, "django.request") == [{"request": "proxy-1.7_a"}]


@pytest.mark.parametrize("given", ["", "a" * 65, "a b", "a\u00e4", 'x"y', "{}"])
def test_a_number_that_is_not_well_formed_is_replaced(client: Client, settings: Settings, given: str) -> None:
    settings.PROXIES = 1
    answer = client.get("/nowhere/", headers={"X-Request-ID": given})
    assert len(answer["X-Request-ID"]) == 32


def test_without_a_proxy_a_visitor_chooses_no_number(client: Client, settings: Settings) -> None:
    settings.PROXIES = 0
    answer = client.get("/nowhere/", headers={"X-Request-ID": "chosen"})
    assert answer["X-Request-ID"] != "chosen"


def test_a_line_within_a_request_says_which(
    client: Client, db: None, settings: Settings, lines: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from league.pages import documents

    def fail(name: str) -> None:
        logging.getLogger("league.inside").warning("on the way")
        raise OSError("no such document")

    monkeypatch.setattr(documents, "document", fail)
    client.raise_request_exception = False
    answer = client.get("/rules/")
    assert answer.status_code == 500
    number = {"request": answer["X-Request-ID"]}
    assert fields(lines, "league.inside") == [number]
    assert fields(lines, "django.request") == [number]
