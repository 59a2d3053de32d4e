"""The API's own description: as OpenAPI, and as what a page shows of it."""

import json
import re
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from league.api.interface import interface
from league.api.problems import STATUSES, Problem

Json = Mapping[str, Any]

HEADERS = {
    401: {"WWW-Authenticate": {"description": "`Bearer`", "schema": {"type": "string"}}},
    429: {"Retry-After": {"description": "seconds until the next minute begins", "schema": {"type": "integer"}}},
}
EXAMPLES: tuple[Problem, ...] = (
    Problem(code="malformed", message="The body of the request can't be read: Invalid boundary in multipart: None"),
    Problem(
        code="token", message="This needs a token: send Authorization: Bearer TOKEN. Make one at /accounts/tokens/."
    ),
    Problem(code="scope", message="The token 'laptop' does not allow this: make one with the scope 'submit'."),
    Problem(code="not_found", message="There is nothing here."),
    Problem(code="conflict", message="Another user has a bot named Bishop: choose another name.", field="bot"),
    Problem(code="too_large", message="bot.py has 2,000,000 bytes; the limit is 1,048,576.", field="file"),
    Problem(code="invalid", message="limit: input should be less than or equal to 200", field="limit"),
    Problem(code="throttled", message="You made more than 120 requests within a minute: come again in 31 s."),
    Problem(code="internal", message="The site failed at this request. It is noted; try again later."),
)
PROBLEMS = {STATUSES[problem.code]: problem.model_dump() for problem in EXAMPLES}
"""An example for each status."""
PLAIN = {"string": "text", "integer": 1, "number": 0.5, "boolean": False, "object": {}, "null": None}
WORDS = {
    "string": "text",
    "integer": "integer",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}
CODE = re.compile("`([^`]+)`")
A_MOMENT = "2026-11-30T15:00:00Z"


class Field(NamedTuple):
    name: str
    kind: str
    required: bool
    about: SafeString


class Answer(NamedTuple):
    status: int
    phrase: str
    shape: str


class Operation(NamedTuple):
    id: str
    method: str
    path: str
    summary: str
    about: SafeString
    needs_token: bool
    parameters: list[Field]
    body: list[Field]
    answers: list[Answer]


class Group(NamedTuple):
    name: str
    operations: list[Operation]


class Shape(NamedTuple):
    name: str
    about: SafeString
    fields: list[Field]
    example: str
    """As JSON."""


@cache
def schema() -> dict[str, Any]:
    """The description in OpenAPI 3.1, with an example of each answer."""
    described: dict[str, Any] = dict(interface.get_openapi_schema(path_prefix=reverse("api:docs").removesuffix("docs")))
    for operation in _operations(described):
        for status, told in operation["responses"].items():
            if int(status) in HEADERS:
                told["headers"] = HEADERS[int(status)]
            for content in told.get("content", {}).values():
                content["example"] = PROBLEMS.get(int(status)) or example(described, content["schema"])
    return described


def about() -> list[SafeString]:
    """What the description says of the whole, in paragraphs."""
    return [_marked(paragraph) for paragraph in schema()["info"]["description"].split("\n\n")]


def groups() -> list[Group]:
    """All operations by their subject."""
    described = schema()
    found: dict[str, list[Operation]] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            found.setdefault(operation["tags"][0], []).append(_operation(method.upper(), path, operation))
    return [Group(name, operations) for name, operations in found.items()]


def shapes() -> list[Shape]:
    """All shapes of answers, by name."""
    described = schema()
    named = described["components"]["schemas"]
    return [
        Shape(
            name, _marked(shape.get("description", "")), _fields(shape), json.dumps(example(described, shape), indent=2)
        )
        for name, shape in sorted(named.items())
        if shape.get("properties")
    ]


def example(described: Json, shape: Json) -> Any:
    """A value of that shape, made of the examples of its parts."""
    if "examples" in shape:
        return shape["examples"][0]
    if "$ref" in shape:
        return example(described, described["components"]["schemas"][shape["$ref"].rsplit("/", 1)[-1]])
    if "anyOf" in shape:
        return example(described, shape["anyOf"][0])
    if "enum" in shape or "const" in shape:
        return shape.get("const", next(iter(shape.get("enum", ())), None))
    if "properties" in shape:
        return {name: example(described, part) for name, part in shape["properties"].items()}
    if shape.get("type") == "array":
        return [example(described, shape["items"])]
    return A_MOMENT if shape.get("format") == "date-time" else PLAIN[shape.get("type", "null")]


def _marked(text: str) -> SafeString:
    """That text with what stands between ` and ` as code."""
    return mark_safe(CODE.sub(r"<code>\1</code>", escape(text.strip())))  # noqa: S308 - it was escaped


def _operations(described: Json) -> list[dict[str, Any]]:
    return [operation for methods in described["paths"].values() for operation in methods.values()]


def _operation(method: str, path: str, operation: Json) -> Operation:
    bodies = operation.get("requestBody", {}).get("content", {}).values()
    return Operation(
        operation["operationId"],
        method,
        path,
        operation["summary"],
        _marked(operation.get("description", "")),
        {} not in operation["security"],
        [
            Field(each["name"], _kind(each["schema"]), each["required"], _marked(each.get("description", "")))
            for each in operation["parameters"]
        ],
        [field for body in bodies for field in _fields(body["schema"])],
        [_answer(status, told) for status, told in operation["responses"].items()],
    )


def _shape(name: str, described: Json, shape: Json) -> Shape:
    shown = json.dumps(example(described, shape), indent=2)
    return Shape(name, _marked(shape.get("description", "")), _fields(shape), shown)


def _answer(status: int | str, told: Json) -> Answer:
    contents = told.get("content", {}).values()
    return Answer(int(status), HTTPStatus(int(status)).phrase, next((_kind(each["schema"]) for each in contents), ""))


def _fields(shape: Json) -> list[Field]:
    required = shape.get("required", ())
    return [
        Field(name, _kind(part), name in required, _marked(part.get("description", "")))
        for name, part in shape["properties"].items()
    ]


def _kind(shape: Json) -> str:
    """What such a value is, in a few words."""
    if "$ref" in shape:
        return str(shape["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in shape:
        return " or ".join(map(_kind, shape["anyOf"]))
    if "enum" in shape:
        return " | ".join(repr(each) if each == "" else str(each) for each in shape["enum"])
    if "const" in shape:
        return str(shape["const"])
    if shape.get("type") == "array":
        return f"list of {_kind(shape['items'])}"
    if shape.get("format") in ("date-time", "binary"):
        return "time" if shape["format"] == "date-time" else "file"
    kind = str(shape.get("type", "anything"))
    return WORDS.get(kind, kind)
