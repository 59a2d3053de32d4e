"""Pages that change while matches are played, and are the same for all visitors: kept for a moment, for all of them.

Whoever is logged in gets a new one each time, which shows what he has just done.
"""

import gzip
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from league import conditional, kept
from league.parameters import is_fragment

SEEN = "seen"
ACCEPTS_GZIP = re.compile(r"\bgzip\b")
QUICKLY = 4

View = Callable[..., HttpResponse]


class LiveResponse(HttpResponse):
    """A page that refreshes a part of itself, or that part. `state` differs whenever it shows something else."""

    state = ""


def render(request: HttpRequest, template: str, context: dict[str, Any]) -> LiveResponse:
    """The page of a context that has a `state`."""
    page = LiveResponse(render_to_string(template, context, request))
    page.state = context["state"]
    return page


def is_seen(request: HttpRequest, state: str) -> bool:
    """Whether htmx asks for what it shows already."""
    return is_fragment(request) and request.GET.get(SEEN) == state


class Page(NamedTuple):
    """What is kept of one."""

    packed: bytes
    etag: str
    state: str

    def answer(self, request: HttpRequest, seen: str | None) -> HttpResponse:
        """The page, or that the browser has it: by its tag, or as the state that it has seen."""
        if is_fragment(request) and seen is not None and seen == self.state:
            return HttpResponse(status=204)
        return conditional.unchanged(request, self.etag) or self._whole(request)

    def _whole(self, request: HttpRequest) -> HttpResponse:
        if ACCEPTS_GZIP.search(request.headers.get("Accept-Encoding", "")):
            page = HttpResponse(self.packed, headers={"Content-Encoding": "gzip"})
        else:
            page = HttpResponse(gzip.decompress(self.packed))
        patch_vary_headers(page, ["Accept-Encoding"])
        conditional.marked(page, self.etag)
        return page


def shared(view: View) -> View:
    """Keep what that view shows to visitors for `PAGES_KEPT_S` seconds. It may follow from the address alone."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.PAGES_KEPT_S or request.method != "GET" or not conditional.is_visitor(request):
            return view(request, *args, **kwargs)
        seen = request.GET.get(SEEN)
        asked = request.GET.copy()
        asked.pop(SEEN, None)
        request.GET = asked  # type: ignore[assignment]
        shows = request.path, list(asked.lists()), is_fragment(request)
        others: list[HttpResponse] = []

        def made() -> Page | None:
            page = view(request, *args, **kwargs)
            if page.status_code != 200 or page.has_header("Cache-Control"):
                others.append(page)
                return None
            packed = gzip.compress(page.content, QUICKLY, mtime=0)
            return Page(packed, conditional.tag_of(page.content), getattr(page, "state", ""))

        page = kept.once(kept.key("page", shows), made, settings.PAGES_KEPT_S)
        return page.answer(request, seen) if page else others[0]

    return answered
