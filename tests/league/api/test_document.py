"""The API as somebody finds it who knows its description alone: no path of it is named here."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.bots import services as bots
from league.bots.findings import Finding
from league.bots.models import Version
from league.matches import pairing
from league.matches.models import Match
from tests.league.api.programs import Program

DESCRIPTION = "/api/v1/openapi.json"
SOURCE = b"class Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"


class Reader:
    """Asks for operations by their ids, and holds each answer against its schema."""

    def __init__(self, token: str) -> None:
        self._client = Client(headers={"Authorization": f"Bearer {token}"})
        self.described = self._client.get(DESCRIPTION).json()
        self._operations = {
            operation["operationId"]: (method, path, operation)
            for path, methods in self.described["paths"].items()
            for method, operation in methods.items()
        }

    def ask(self, operation_id: str, form: dict[str, Any] | None = None, **parameters: Any) -> Any:
        method, path, operation = self._operations[operation_id]
        places = {each["name"]: each["in"] for each in operation["parameters"]}
        path = path.format(**{name: value for name, value in parameters.items() if places[name] == "path"})
        query = {name: value for name, value in parameters.items() if places[name] == "query"}
        answer = getattr(self._client, method)(path, form if form is not None else query)
        told = answer.json()
        (content,) = operation["responses"][str(answer.status_code)]["content"].values()
        jsonschema_rs.validate({**content["schema"], "components": self.described["components"]}, told)
        return told

    def form_of(self, operation_id: str) -> tuple[str, dict[str, Any]]:
        """The content type and the fields of the form that an operation takes."""
        ((kind, content),) = self._operations[operation_id][2]["requestBody"]["content"].items()
        return kind, content["schema"]


def test_a_bot_is_submitted_and_followed_by_the_description_alone(
    own: Program, activate: Callable[..., Version], play_all: Callable[..., list[Match]], short_ladder: Any
) -> None:
    activate("Rook")
    reader = Reader(own.token)
    kind, form = reader.form_of("submit_version")
    assert kind == "multipart/form-data"
    (file,) = [name for name, field in form["properties"].items() if field.get("format") == "binary"]
    filled: dict[str, Any] = {
        name: field["examples"][0]
        for name, field in form["properties"].items()
        if name in form["required"] and name != file
    }
    version = reader.ask("submit_version", {**filled, file: SimpleUploadedFile("bot.py", SOURCE)})
    assert reader.ask("get_version", version=version["id"])["status"] == "checking"
    held = bots.claim_check()
    assert held is not None
    assert pairing.admit(held, Finding("", output="ready\n"))
    assert reader.ask("get_version", version=version["id"])["status"] == "active"
    play_all()
    ladder = reader.ask("list_tournaments")["tournaments"][0]["slug"]
    rows = reader.ask("get_leaderboard", slug=ladder)["rows"]
    assert version["id"] in [row["version"]["id"] for row in rows]
    match = reader.ask("list_matches", bot=version["bot"]["name"])["matches"][0]
    record = reader.ask("get_replay", match=match["id"])
    assert version["bot"]["name"] in record["bots"]
    assert reader.ask("get_logs", match=match["id"])["logs"]


def test_every_operation_is_described_with_all_that_it_may_answer(own: Program, client: Client) -> None:
    for _method, _path, operation in Reader(own.token)._operations.values():
        assert operation["summary"], operation
        assert operation["description"]
        assert {"401", "429"} <= set(operation["responses"])
        assert "Retry-After" in operation["responses"]["429"]["headers"]
        for told in operation["responses"].values():
            assert next(iter(told["content"].values()))["example"]


def test_the_page_names_every_operation_and_fetches_nothing(client: Client, own: Program) -> None:
    page = client.get("/api/v1/docs").content.decode()
    for _method, path, operation in Reader(own.token)._operations.values():
        assert f"<code>{path}</code>" in page
        assert f'id="{operation["operationId"]}"' in page
    assert json.dumps("/bots/12/") in page.replace("&quot;", '"'), "an example"
    assert "//cdn" not in page


@pytest.mark.parametrize("path", [DESCRIPTION, "/api/v1/docs"])
def test_the_description_is_read_alone(client: Client, db: None, path: str) -> None:
    assert client.post(path).status_code == 405
