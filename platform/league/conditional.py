"""Pages that a browser has already, as long as they show the same: it is told so, and nothing is sent again.

That is for visitors who are not logged in. What others see is theirs alone, and kept by nobody.
"""

import re
from collections.abc import Callable
from hashlib import blake2b

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language

from league import release

Answer = Callable[[HttpRequest], HttpResponseBase]
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')
"""Masked anew in each page; the secret under it is the visitor's, in a cookie."""
VARIES = ("Accept-Language", "Cookie")


def tag(request: HttpRequest, *shows: object) -> str:
    """A tag for a page that follows from its address, the language and `shows`, whose parts are told apart by `repr`.

    Empty where the page shows anything else: to whoever is logged in, or is to be told something.
    """
    if not is_visitor(request):
        return ""
    return tag_of(repr((release.fingerprint(), get_language(), request.get_full_path(), shows)).encode())


def is_visitor(request: HttpRequest) -> bool:
    """Whether the page is for somebody who is not logged in, and is to be told nothing besides."""
    return not request.user.is_authenticated and not len(get_messages(request))


def unchanged(request: HttpRequest, etag: str) -> HttpResponse | None:
    """The answer to a browser that has the page of that tag; none where it has another."""
    answer = get_conditional_response(request, etag=etag) if etag else None
    if answer is not None:
        patch_vary_headers(answer, VARIES)
        marked(answer, etag)
    return answer


def marked(page: HttpResponseBase, etag: str) -> None:
    """Have the browser keep the page, and ask each time whether it is still like that."""
    page["ETag"] = etag
    patch_cache_control(page, private=True, no_cache=True)


def revalidated(answer: Answer) -> Answer:
    """Middleware that tags each page by what it says, where its view gave it no tag and did not forbid to keep it."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        page = answer(request)
        if isinstance(page, HttpResponse) and _may_be_kept(request, page):
            secret = request.META.get("CSRF_COOKIE", "").encode()
            marked(page, tag_of(TOKEN.sub(b"", page.content) + secret))
            return get_conditional_response(request, etag=page["ETag"], response=page) or page
        return page

    return answered


def _may_be_kept(request: HttpRequest, page: HttpResponse) -> bool:
    return (
        page.status_code == 200
        and page.get("Content-Type", "").startswith("text/html")
        and not page.has_header("ETag")
        and not page.has_header("Cache-Control")
        and not (hasattr(request, "user") and request.user.is_authenticated)
    )


def tag_of(followed: bytes) -> str:
    """A weak one: two pages of it may differ in the masks of their tokens."""
    return f'W/"{blake2b(followed, digest_size=16).hexdigest()}"'
