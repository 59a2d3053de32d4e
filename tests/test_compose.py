"""What docker-compose.yml promises its operator; that it runs is for `make smoke` to tell."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docker-compose.yml").read_text()
OPEN = (ROOT / "deploy/worker/open.yml").read_text()
POSTGRESQL = {"bookworm": 15, "trixie": 17}
"""The release whose programs that Debian has."""


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
    read = set(re.findall(r"(?<!\$)\$\{(\w+)", TEXT + OPEN))
    told = (ROOT / "docs/operations.md").read_text()
    assert sorted(name for name in read if f"`{name}" not in told and f"{name}=" not in told) == []


def test_the_image_can_copy_the_database_that_compose_starts(services: dict[str, Any]) -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    (base,) = re.findall(r"^ARG BASE_IMAGE=(.+)$", dockerfile, re.MULTILINE)
    assert services["worker"]["build"]["args"]["BASE_IMAGE"] == f"${{BASE_IMAGE:-{base}}}"
    assert "install -qq --yes --no-install-recommends postgresql-client" in dockerfile
    server = re.search(r"postgres:(\d+)", services["postgres"]["image"])
    assert server is not None
    assert POSTGRESQL[base.rpartition("-")[2]] >= int(server[1])


def test_nobody_outside_reaches_database_and_queue_unless_the_operator_says_where(services: dict[str, Any]) -> None:
    assert sorted(name for name, service in services.items() if "ports" in service) == ["proxy", "site"]
    opened = yaml.safe_load(OPEN)["services"]
    ports = {name: service["ports"] for name, service in opened.items()}
    assert {name: [port[:15] for port in listed] for name, listed in ports.items()} == {
        "postgres": ["${ARENA_PRIVATE"],
        "redis": ["${ARENA_PRIVATE"],
    }
