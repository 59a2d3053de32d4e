"""Requests to every route of the site, drawn from a seed: odd addresses, parameters, headers, methods and bodies."""

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, quote_from_bytes

from django.urls import URLPattern, URLResolver

from benchmarks import fuzz_uploads

METHODS = ("GET",) * 8 + ("POST",) * 8 + ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "BREW")
BOUNDARY = b"one-part-and-another"
CSRF = "0" * 32
ODD = (
    b"", b"0", b"1", b"-1", b"2", b"9" * 18, b"9" * 40, b"1e400", b"NaN", b"\xd9\xa3", b"\0", b"\xff", b"\xed\xa0\x80",
    b"\xe2\x80\xae", b"x" * 3_000, b"../../etc/passwd", b"<script>alert(1)</script>", b"' OR 1=1 --", b"%s%n",
    b"{{7*7}}", b"\r\nX-Odd: 1", b"true", b"[]", b"{}", b"-rank", b"ladder", b"lost", b"A", b" ", b"\xf0\x9f\x83\x8f",
)  # fmt: skip
PARAMETERS = (
    "a", "author", "b", "before", "bot", "cursor", "days", "fault", "file", "how", "code", "invitation", "kind",
    "language", "limit", "message", "move", "name", "next", "note", "old_password", "other", "outcome", "own", "page",
    "password", "password1", "password2", "q", "reason", "scopes", "see", "seen", "since", "slug", "sort", "state",
    "status", "token", "tournament", "username", "version", "deadline", "opens", "action", "_selected_action", "o", "e",
    "_popup",
)  # fmt: skip
HEADERS = {
    "HTTP_HX_REQUEST": ("true", "", "maybe"),
    "HTTP_HX_CURRENT_URL": ("http://[", "\xff", "/"),
    "HTTP_ACCEPT_LANGUAGE": ("ru", "xx-yy;q=9", "," * 2_000, "\xff"),
    "HTTP_ACCEPT_ENCODING": ("gzip, br", "gzip;q=x", "\xff"),
    "HTTP_AUTHORIZATION": ("Bearer", "Bearer arena_\xff", "Basic Og==", "\xff", "Bearer " + "x" * 4_000),
    "HTTP_X_FORWARDED_FOR": ("::1", "unknown,,", "1.2.3.4, " * 300, "\xff"),
    "HTTP_HOST": ("localhost", "localhost:99999", "[::1", "evil.example", "\xff", ""),
    "HTTP_RANGE": ("bytes=0-1", "bytes=9-1", "cards=2-"),
    "HTTP_IF_MODIFIED_SINCE": ("Thu, 01 Jan 1970 00:00:00 GMT", "yesterday", "\xff"),
    "HTTP_IF_NONE_MATCH": ("*", '"', "\xff"),
    "HTTP_REFERER": ("https://elsewhere.example/", "\xff", "http://["),
    "HTTP_ORIGIN": ("null", "https://elsewhere.example", "http://["),
    "CONTENT_TYPE": ("application/json", "text/plain; charset=no-such", "multipart/form-data", "\xff", ""),
    "CONTENT_LENGTH": ("-1", "", "99999999999", "0"),
}
COOKIES = (
    "sessionid=\xff; messages=[[\"__json_message\"", "messages=x:y:z", "django_language=../ru", "a=b; ; =", "\xff" * 50,
    "sessionid=" + "x" * 3_000, "csrftoken=short",
)  # fmt: skip


class Request(NamedTuple):
    environ: dict[str, Any]
    told: str
    """Method and address, for the report."""
    good: bool = False
    """It uploads a bot that the site has to take, as somebody who may."""


class Who(NamedTuple):
    """A visitor: the session of a browser, and a token."""

    session: str
    token: str


def routes(patterns: Sequence[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """Every route, with `<kind:name>` where an address has something of its own."""
    for pattern in patterns:
        route = re.sub(r"\(\?P<\w+>[^)]*\)", "<str:x>", before + str(pattern.pattern)).replace("^", "").replace("$", "")
        if isinstance(pattern, URLPattern):
            yield "/" + route
        else:
            yield from routes(pattern.url_patterns, route)


class Generator:
    def __init__(self, rng: Random, addresses: Sequence[str], known: Mapping[str, Sequence[str]]) -> None:
        """Draws requests to those routes; `known` has values of each kind that something on the site has."""
        self._rng = rng
        self._addresses = addresses
        self._known = known

    def request(self, who: Who) -> Request:
        """Any request."""
        rng = self._rng
        method, path = rng.choice(METHODS), self._path()
        query = self._fields() if rng.random() < 0.5 else b""
        body, kind = self._body() if method not in ("GET", "HEAD") else (b"", "")
        environ = _environ(method, path, query, body, kind, who if rng.random() < 0.8 else None)
        for name in rng.sample(sorted(HEADERS), rng.choice((0, 0, 1, 2, 4))):
            environ[name] = rng.choice(HEADERS[name])
        if rng.random() < 0.05:
            environ["HTTP_COOKIE"] = rng.choice(COOKIES)
        return Request(environ, f"{method} {quote_from_bytes(path)[:120]}?{query.decode('latin-1')[:120]}")

    def upload(self, who: Who) -> Request:
        """An upload to one of the places that take them."""
        rng = self._rng
        name, content, good = fuzz_uploads.drawn(rng)
        path = rng.choice((b"/bots/submit/", b"/bots/trials/", b"/api/v1/versions"))
        bot = b"Fuzz %d" % rng.randrange(3)
        fields = {b"name": bot, b"bot": bot} if path.startswith(b"/api") else {b"name": bot}
        if not good:
            fields |= {rng.choice(PARAMETERS).encode(): rng.choice(ODD) for _ in range(rng.choice((0, 1, 3)))}
        body = _multipart(fields, name, content)
        if not good and rng.random() < 0.1:
            body = body[: rng.randrange(len(body))]
        kind = f"multipart/form-data; boundary={BOUNDARY.decode()}"
        environ = _environ("POST", path, b"", body, kind, who, by_token=path.startswith(b"/api"))
        return Request(environ, f"upload of {name[:60]!r} ({len(content)} bytes) to {path.decode()}", good)

    def _path(self) -> bytes:
        rng = self._rng

        def filled(found: re.Match[str]) -> str:
            good = self._known.get(found[1] or "str", ())
            return (
                quote(rng.choice(good)) if good and rng.random() < 0.7 else quote_from_bytes(rng.choice(ODD), safe="")
            )

        path = re.sub(r"<(?:(\w+):)?\w+>", filled, rng.choice(self._addresses))
        return _unquoted(path + rng.choice(("",) * 20 + ("/", "//", ";x", "%00", "%ff")))

    def _fields(self) -> bytes:
        rng = self._rng
        pairs = [(rng.choice(PARAMETERS), self._value()) for _ in range(rng.choice((1, 1, 2, 5)))]
        return b"&".join(name.encode() + b"=" + quote_from_bytes(value, safe="").encode() for name, value in pairs)

    def _value(self) -> bytes:
        known = self._known["int"]
        return self._rng.choice(known).encode() if self._rng.random() < 0.3 else self._rng.choice(ODD)

    def _body(self) -> tuple[bytes, str]:
        rng = self._rng
        drawn = rng.random()
        if drawn < 0.6:
            return self._fields(), "application/x-www-form-urlencoded"
        if drawn < 0.8:
            values = {rng.choice(PARAMETERS).encode(): self._value() for _ in range(3)}
            return _multipart(values, b"bot.py", b"x"), f"multipart/form-data; boundary={BOUNDARY.decode()}"
        if drawn < 0.9:
            return json.dumps(
                {rng.choice(PARAMETERS): rng.choice((None, [], {}, 10**30, "x"))}
            ).encode(), "application/json"
        return rng.randbytes(rng.choice((0, 10, 2_000))), rng.choice(HEADERS["CONTENT_TYPE"])


def _unquoted(path: str) -> bytes:
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), path.encode())


def _multipart(fields: Mapping[bytes, bytes], filename: bytes, content: bytes) -> bytes:
    parts = [b'form-data; name="%s"\r\n\r\n%s' % pair for pair in fields.items()]
    parts.append(b'form-data; name="file"; filename="%s"\r\nContent-Type: text/plain\r\n\r\n%s' % (filename, content))
    said = b"".join(b"--%s\r\nContent-Disposition: %s\r\n" % (BOUNDARY, part) for part in parts)
    return said + b"--%s--\r\n" % BOUNDARY


def _environ(
    method: str, path: bytes, query: bytes, body: bytes, kind: str, who: Who | None, *, by_token: bool = False
) -> dict[str, Any]:
    """What a server hands to the application; a form has its token, so that it is not refused for that alone."""
    cookie = f"csrftoken={CSRF}" + (f"; sessionid={who.session}" if who and not by_token else "")
    environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path.decode("latin-1"),
        "QUERY_STRING": query.decode("latin-1"),
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_COOKIE": cookie,
        "HTTP_X_CSRFTOKEN": CSRF,
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.version": (1, 0),
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    return environ | ({"HTTP_AUTHORIZATION": f"Bearer {who.token}"} if who and by_token else {})
