"""Measures each page, for the metrics."""

import logging
import time
from collections.abc import Callable, Iterator
from functools import cache

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver

from league.operations import page_times

log = logging.getLogger(__name__)

ADMIN = "admin"
NO_VIEW = "none"
"""Addresses that there are not, and redirections before a view is looked for."""


class TimingMiddleware:
    """Counts how long each view took until its answer began. Where metrics are told to nobody nothing is measured."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        try:
            self._times = times()
        except OSError as error:
            log.warning("page times are not measured: %s", error)
            raise MiddlewareNotUsed from None
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self._get_response(request)
        self._times.add(_view(request), time.perf_counter() - began, failed=response.status_code >= 500)
        return response


def times() -> page_times.PageTimes:
    """What was measured of all views.

    Raises:
        OSError: there is no file to be written.
    """
    return page_times.opened(settings.PAGE_TIMES, views())


@cache
def views() -> tuple[str, ...]:
    """The names of all views; those of the administration are one."""
    return tuple(sorted({NO_VIEW, ADMIN, *_routes(get_resolver().url_patterns)}))


def _routes(patterns: list[URLPattern | URLResolver], space: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name}"
        elif pattern.namespace != ADMIN:
            yield from _routes(pattern.url_patterns, f"{pattern.namespace}:" if pattern.namespace else space)


def _view(request: HttpRequest) -> str:
    found = request.resolver_match
    if found is None:
        return NO_VIEW
    name = ADMIN if found.namespace == ADMIN else found.view_name
    return name if name in views() else NO_VIEW
