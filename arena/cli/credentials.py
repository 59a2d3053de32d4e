"""Which site the commands speak to, and the token by which it knows the user."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from arena.cli.failure import USAGE, Failure

FILE = Path("candidate-arena", "login.json")
LOCAL = "http://127.0.0.1:8000"
"""Where `make run` serves."""


class Login(NamedTuple):
    url: str
    """Without a slash at its end."""
    token: str
    """Empty where the site is asked for public things alone."""


def load() -> Login:
    """The site and the token of ARENA_URL and ARENA_TOKEN, else those that are stored.

    A stored token is for the site that it is stored with, and goes to no other.

    Raises:
        Failure: no site is known, or what is stored can't be read.
    """
    url, token = os.environ.get("ARENA_URL", ""), os.environ.get("ARENA_TOKEN", "")
    url = checked_url(url) if url else ""
    if url and token:
        return Login(url, checked_token(token))
    stored = _stored()
    if not url and not stored:
        raise Failure("no site is known: run arena login --url URL, or set ARENA_URL", USAGE)
    if stored and not token and url in ("", stored.url):
        return stored
    return Login(url or (stored.url if stored else ""), checked_token(token) if token else "")


def usual_url() -> str:
    """The site to log in to where none is named."""
    if url := os.environ.get("ARENA_URL"):
        return checked_url(url)
    with contextlib.suppress(Failure):  # a login that can't be read is about to be replaced
        if stored := _stored():
            return stored.url
    return LOCAL


def save(login: Login) -> Path:
    """Stores it for the next commands, for the user's eyes alone; where that is."""
    path = place()
    fresh = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(login._asdict(), file)
        fresh.replace(path)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}", USAGE) from None
    return path


def forget() -> bool:
    """Removes what is stored; whether there was anything."""
    try:
        place().unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Failure(f"{place()}: {error.strerror}", USAGE) from None
    return True


def place() -> Path:
    """The file of the login, in the folder that this system has for settings of a user's programs."""
    if sys.platform == "win32":
        folder = os.environ.get("APPDATA") or "~/AppData/Roaming"
    elif sys.platform == "darwin":
        folder = "~/Library/Application Support"
    else:
        folder = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(folder).expanduser() / FILE


def checked_url(text: str) -> str:
    """That address of a site, without a slash at its end.

    Raises:
        Failure: it is none.
    """
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or not text.isprintable() or " " in text:
        raise Failure(f"expected the address of a site, such as https://arena.example.org, got {text!r:.80}", USAGE)
    return text.rstrip("/")


def checked_token(text: str) -> str:
    """That token.

    Raises:
        Failure: it can't be one. It is not shown: it may be another secret.
    """
    if not text or not text.isascii() or not text.isprintable() or " " in text:
        raise Failure("expected a token, such as arena_ and 43 characters; copy it again from the site", USAGE)
    return text


def _stored() -> Login | None:
    try:
        told = json.loads(place().read_text(encoding="utf-8"))
        return Login(checked_url(told["url"]), checked_token(told["token"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Failure(f"{place()}: {error.strerror}", USAGE) from None
    except (ValueError, KeyError, TypeError, AttributeError, Failure):
        raise Failure(f"{place()}: not a login; run arena login again", USAGE) from None
