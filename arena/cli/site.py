"""A site's API, as the commands ask it: in the user's name, patiently, and with an answer or a `Failure`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from arena import __version__
from arena.cli.credentials import Login
from arena.cli.failure import PLATFORM_FAULT, USAGE, Failure
from arena.cli.screen import printable

if TYPE_CHECKING:
    import httpx

TRIES = 4
"""Of a request that the site wants to come later."""
LONGEST_WAIT_S = 120
TIMEOUT_S = 30
PAGE = 200


class Refusal(Failure):
    """The site does not do what it was asked."""

    def __init__(self, words: str, status: int, code: int) -> None:
        super().__init__(words, status)
        self.code = code
        """Of HTTP."""


class Site:
    def __init__(self, login: Login) -> None:
        import httpx  # here, since it takes its time, and most commands do without

        self.login = login
        headers = {"User-Agent": f"arena/{__version__}"}
        if login.token:
            headers["Authorization"] = f"Bearer {login.token}"
        self._client = httpx.Client(base_url=f"{login.url}/api/v1", headers=headers, timeout=TIMEOUT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._client.close()

    def get(self, path: str, **parameters: Any) -> Any:
        """What the site tells at that path of its API.

        Raises:
            Refusal: it tells why it does not.
            Failure: it can't be reached, or is no arena.
        """
        return self._ask("GET", path, params=parameters)

    def every(self, path: str, what: str, **parameters: Any) -> Iterator[Any]:
        """All rows of a list, page after page; `what` is their name in an answer."""
        cursor = ""
        while cursor is not None:
            told = self.get(path, limit=PAGE, cursor=cursor, **parameters)
            yield from told[what]
            cursor = told["next"]

    def submit(self, filename: str, content: bytes, bot: str, message: str) -> Any:
        """The version that the site made of that upload."""
        form = {"bot": bot, "message": message}
        return self._ask("POST", "/versions", data=form, files={"file": (filename, content)})

    def _ask(self, method: str, path: str, **options: Any) -> Any:
        response = self._send(method, path, **options)
        for _ in range(TRIES - 1):
            wait_s = _seconds(response)
            if wait_s is None:
                break
            print(f"arena: the site asks to come again in {wait_s} s", file=sys.stderr)
            time.sleep(wait_s)
            response = self._send(method, path, **options)
        return self._read(response)

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        import httpx

        try:
            return self._client.request(method, path, **options)
        except httpx.TimeoutException:
            raise Failure(f"{self.login.url} did not answer within {TIMEOUT_S} s; try again later", USAGE) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            words = printable(" ".join(str(error).split()))
            raise Failure(
                f"no connection to {self.login.url}: {words}; check the network, or the address with arena login --url",
                USAGE,
            ) from None

    def _read(self, response: httpx.Response) -> Any:
        if response.is_redirect:
            onward = printable(response.headers.get("Location", "elsewhere"))
            raise Failure(f"{self.login.url} leads on to {onward}: log in there with arena login --url", USAGE)
        try:
            told = response.json()
            words = "" if response.is_success else printable(str(told["message"]))
        except (ValueError, KeyError, TypeError):
            status = response.status_code
            raise Failure(
                f"{self.login.url} answered {status}, but not as an arena does; check the address", USAGE
            ) from None
        if response.is_success:
            return told
        if response.status_code == 401:
            words = f"{words} Then run arena login, or set ARENA_TOKEN. The site is {self.login.url}"
        raise Refusal(words, PLATFORM_FAULT if response.is_server_error else USAGE, response.status_code)


def _seconds(response: httpx.Response) -> int | None:
    """How long the site wants the request to wait; None where it does not, or asks for too much."""
    text = response.headers.get("Retry-After", "")
    if response.status_code != 429 or not text.isdigit() or int(text) > LONGEST_WAIT_S:
        return None
    return int(text)
