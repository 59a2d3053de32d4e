import sys
from collections.abc import Callable, Iterator
from subprocess import run
from typing import Any

import httpx
import pytest

from arena.cli import site
from arena.cli.credentials import Login
from arena.cli.failure import Failure
from arena.cli.site import Refusal, Site

Served = Callable[..., Site]
PROBLEM = {"code": "throttled", "message": "Too many.", "field": None}


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr(site.time, "sleep", seconds.append)
    return seconds


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Served:
    """A site that answers with these, one after the other."""

    def served(*answers: Any) -> Site:
        waiting = iter(answers)

        def answer(request: httpx.Request) -> httpx.Response:
            told = next(waiting)
            if isinstance(told, Exception):
                raise told
            assert request.headers["Authorization"] == "Bearer arena_abc"
            return told

        made = Site(Login("http://arena.test", "arena_abc"))
        made._client = httpx.Client(
            base_url=made._client.base_url, headers=made._client.headers, transport=httpx.MockTransport(answer)
        )
        return made

    return served


def busy(wait_s: str) -> httpx.Response:
    return httpx.Response(429, json=PROBLEM, headers={"Retry-After": wait_s})


def test_a_site_that_asks_to_wait_is_asked_again(
    served: Served, slept: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert served(busy("7"), busy("1"), httpx.Response(200, json={"id": 1})).get("/me") == {"id": 1}
    assert slept == [7, 1]
    assert capsys.readouterr().err == "".join(f"arena: the site asks to come again in {wait} s\n" for wait in (7, 1))


def test_it_is_asked_four_times_at_most(served: Served, slept: list[float]) -> None:
    with pytest.raises(Refusal, match=r"Too many\.") as refused:
        served(*[busy("2") for _ in range(4)]).get("/me")
    assert (refused.value.code, refused.value.status) == (429, 2)
    assert slept == [2, 2, 2]


@pytest.mark.parametrize("wait", ["121", "soon", "-1", ""])
def test_nobody_waits_for_what_is_too_long_or_no_time(served: Served, slept: list[float], wait: str) -> None:
    with pytest.raises(Refusal):
        served(busy(wait)).get("/me")
    assert slept == []


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        (httpx.ConnectError("connection refused"), 2, "no connection to http://arena.test: connection refused; check"),
        (httpx.ReadTimeout("slow"), 2, "http://arena.test did not answer within 30 s"),
        (
            httpx.Response(301, headers={"Location": "https://arena.test/"}),
            2,
            "leads on to https://arena.test/: log in",
        ),
        (httpx.Response(200, text="<html>"), 2, "answered 200, but not as an arena does"),
        (httpx.Response(404, json=[]), 2, "answered 404, but not as an arena does"),
        (httpx.Response(401, json={**PROBLEM, "message": "No."}), 2, "No. Then run arena login"),
        (httpx.Response(422, json={**PROBLEM, "message": "red \x1b[31m"}), 2, r"red \\x1b\[31m"),
        (httpx.Response(500, json={**PROBLEM, "message": "It failed."}), 3, "It failed."),
    ],
    ids=str,
)
def test_what_goes_wrong_is_said_in_a_line(served: Served, answer: Any, status: int, said: str) -> None:
    with pytest.raises(Failure, match=said) as failed:
        served(answer).get("/me")
    assert failed.value.status == status
    assert "\n" not in str(failed.value)


def test_a_list_is_read_to_its_end(served: Served) -> None:
    def pages() -> Iterator[httpx.Response]:
        yield httpx.Response(200, json={"bots": [1, 2], "next": "2"})
        yield httpx.Response(200, json={"bots": [3], "next": None})

    assert list(served(*pages()).every("/bots", "bots")) == [1, 2, 3]


def test_commands_that_need_no_site_do_not_load_what_speaks_to_one() -> None:
    program = "import sys, arena.cli; arena.cli.parser(); print('httpx' in sys.modules)"
    assert run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
