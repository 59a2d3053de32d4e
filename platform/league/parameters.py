"""What a request asks for. A wrong parameter is answered 400 with a text that names it."""

from collections.abc import Sequence

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.translation import gettext as _

DIGITS = 18


def whole_number(request: HttpRequest, name: str, default: int, low: int, high: int) -> int:
    """The parameter of that name, from `low` to `high`; `default` where the address has none.

    Raises:
        BadRequest: it is something else.
    """
    text = request.GET.get(name, "")
    if not text:
        return default
    if text.isascii() and text.isdigit() and len(text) <= DIGITS and low <= int(text) <= high:
        return int(text)
    expected = _("{name}: expected a whole number from {low} to {high}, got “{text}”")
    raise BadRequest(expected.format(name=name, low=low, high=high, text=text[:40]))


def one_of(request: HttpRequest, name: str, choices: Sequence[str]) -> str:
    """The parameter of that name, one of `choices`; the first of them where the address has none.

    Raises:
        BadRequest: it is something else.
    """
    text = request.GET.get(name) or choices[0]
    if text in choices:
        return text
    expected = _("{name}: expected one of {choices}, got “{text}”")
    raise BadRequest(expected.format(name=name, choices=", ".join(choices), text=text[:40]))


def short_text(request: HttpRequest, name: str, most: int) -> str:
    """The parameter of that name without spaces around it; empty where the address has none.

    Raises:
        BadRequest: it is too long, or has a NUL, which databases refuse.
    """
    text = request.GET.get(name, "").strip()
    if len(text) > most:
        expected = _("{name}: expected at most {most} characters, got {count}")
        raise BadRequest(expected.format(name=name, most=most, count=len(text)))
    if "\0" in text:
        raise BadRequest(_("{name}: expected text without NUL characters").format(name=name))
    return text


def is_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page that it shows already."""
    return bool(getattr(request, "htmx", False))
