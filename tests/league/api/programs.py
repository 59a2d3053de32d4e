"""A program that asks the API, as the tests see it."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client


class Told(NamedTuple):
    status: int
    json: Any
    headers: Any


class Program:
    """Asks the API, with that token if there is one."""

    def __init__(self, token: str = "") -> None:
        self.token = token
        self._client = Client(headers={"Authorization": f"Bearer {token}"} if token else {})

    def get(self, path: str, **parameters: Any) -> Told:
        return self._told(self._client.get(f"/api/v1{path}", parameters))

    def submit(self, content: bytes = b"", bot: str = "Bishop", filename: str = "bot.py", **more: Any) -> Told:
        form = {"file": SimpleUploadedFile(filename, content), "bot": bot, **more}
        return self._told(self._client.post("/api/v1/versions", form))

    def _told(self, answer: Any) -> Told:
        return Told(answer.status_code, answer.json(), answer.headers)
