"""What docker-compose.yml promises its operator; that it runs is for `make smoke` to tell."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docker-compose.yml").read_text()


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(TEXT)["services"]
    return found


def test_every_service_that_stays_says_how_it_is_and_starts_again(services: dict[str, Any]) -> None:
    staying = {name for name, service in services.items() if service["restart"] == "unless-stopped"}
    assert staying == services.keys() - {"setup"}
    assert [name for name in staying if "healthcheck" not in services[name]] == []


def test_only_the_worker_holds_the_engine(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if "docker.sock" in str(service)] == ["worker"]


def test_operations_name_every_variable_that_compose_reads() -> None:
    read = set(re.findall(r"(?<!\$)\$\{(\w+)", TEXT))
    told = (ROOT / "docs/operations.md").read_text()
    assert sorted(name for name in read if f"`{name}" not in told and f"{name}=" not in told) == []
