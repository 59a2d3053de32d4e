"""A number for each request, which its log lines and its answer carry."""

import re
from collections.abc import Callable
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from league import logs

HEADER = "X-Request-ID"
WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestIdMiddleware:
    """Takes the number that a proxy of ours gave the request, or makes one; the answer says it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "") if settings.PROXIES else ""
        request_id = given if WELL_FORMED.fullmatch(given) else uuid4().hex
        logs.begin(request_id)
        response = self._get_response(request)
        response[HEADER] = request_id
        return response
