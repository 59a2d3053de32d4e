"""What the API says where it does not do what was asked."""

import logging
from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from django.core.exceptions import BadRequest, SuspiciousOperation, ValidationError
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from ninja import NinjaAPI
from ninja import errors as ninja

from league.api.schema import Shape
from league.throttle import TooMany

log = logging.getLogger(__name__)

Code = Literal[
    "malformed", "token", "scope", "not_yours", "not_found", "conflict", "too_large", "invalid", "throttled", "internal"
]
STATUSES: Mapping[Code, int] = {
    "malformed": 400,
    "token": 401,
    "scope": 403,
    "not_yours": 403,
    "not_found": 404,
    "conflict": 409,
    "too_large": 413,
    "invalid": 422,
    "throttled": 429,
    "internal": 500,
}
CONFLICTS = {"name", "quota", "owner", "repeat"}
"""What the services call a refusal that comes of what is stored already."""


Row = TypeVar("Row", bound=Model)


class Problem(Shape):
    code: Code
    """What went wrong, for programs."""
    message: str
    """What went wrong and what to do, for people."""
    field: str | None = None
    """The parameter, or the field of the form, that it is about."""


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """The request is answered with this problem."""

    def __init__(
        self, code: Code, message: str, field: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.problem = Problem(code=code, message=message, field=field)
        self.headers = headers or {}


def possible(*statuses: int) -> dict[int, type[Problem]]:
    """The problems that an operation documents: those of the token and of the throttle, and these."""
    return dict.fromkeys(sorted({401, 429, *statuses}), Problem)


def one(rows: QuerySet[Row], what: str, **key: Any) -> Row:
    """The one of those rows with that key; `what` is its name in the words that refuse another key.

    Raises:
        Refused: there is none.
    """
    found = rows.filter(**key).first()
    if found is None:
        raise Refused("not_found", f"There is no {what} {next(iter(key.values()))}.")
    return found


def answer(refused: Refused) -> HttpResponse:
    """That problem as a response."""
    problem = refused.problem
    headers = dict(refused.headers)
    if problem.code == "token":
        headers["WWW-Authenticate"] = "Bearer"
    return HttpResponse(
        problem.model_dump_json(), status=STATUSES[problem.code], content_type="application/json", headers=headers
    )


def of_service(refused: ValidationError) -> Refused:
    """What a service refused: `conflict` where what is stored is in the way, `throttled` where it was one
    too many, else `invalid` or `too_large`.
    """
    code, message = getattr(refused, "code", None), " ".join(refused.messages)
    if isinstance(refused, TooMany):
        return Refused("throttled", message, headers={"Retry-After": str(refused.wait_s)})
    if code in CONFLICTS:
        return Refused("conflict", message, "bot")
    if code == "message":
        return Refused("invalid", message, "message")
    return Refused("too_large" if code == "size" else "invalid", message, "file")


def handle(interface: NinjaAPI) -> None:
    """Have each exception of that interface answered with its problem."""
    for kind, told in (
        (Refused, answer),
        (Http404, lambda missing: answer(Refused("not_found", str(missing) or "There is nothing here."))),
        (ninja.ValidationError, lambda wrong: answer(_of_parameters(wrong))),
        (ninja.HttpError, lambda _: answer(Refused("malformed", "The body of the request can't be read."))),
        (Exception, _of_fault),
    ):
        interface.add_exception_handler(kind, _handler(told))
    for unreadable in (BadRequest, MultiPartParserError, SuspiciousOperation, UnreadablePostError):
        interface.add_exception_handler(unreadable, _handler(_of_body))


def _handler(told: Any) -> Any:
    def handler(request: HttpRequest, error: Exception) -> HttpResponse:
        response: HttpResponse = told(error)
        return response

    return handler


def _of_body(error: Exception) -> HttpResponse:
    return answer(Refused("malformed", f"The body of the request can't be read: {error}"))


def _of_parameters(wrong: ninja.ValidationError) -> Refused:
    """The first that is wrong gives its name, all of them the message."""
    found = [(str(error["loc"][-1]), error["msg"].removeprefix("Value error, ")) for error in wrong.errors]
    return Refused("invalid", "; ".join(f"{name}: {said[:1].lower()}{said[1:]}" for name, said in found), found[0][0])


def _of_fault(error: Exception) -> HttpResponse:
    log.error("the API failed", exc_info=error)
    return answer(Refused("internal", "The site failed at this request. It is noted; try again later."))
