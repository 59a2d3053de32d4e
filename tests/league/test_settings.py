from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from league.settings import secret

ROOT = Path(__file__).parents[2]


def python(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """That program, run in a fresh interpreter whose environment says nothing else of the arena."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    return subprocess.run(
        [sys.executable, "-c", program], env={**kept, **environment}, capture_output=True, text=True, cwd=ROOT,
        check=False,
    )  # fmt: skip


def test_processes_that_start_at_once_share_one_secret_key(tmp_path: Path) -> None:
    def key(_: int) -> str:
        return python("from league import settings; print(settings.SECRET_KEY)", ARENA_HOME=str(tmp_path)).stdout

    with ThreadPoolExecutor(4) as threads:
        (found,) = set(threads.map(key, range(4)))
    assert len(found) > 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARENA_LEASE_S", "soon"),
        ("ARENA_BOTS_PER_USER", "many"),
        ("ARENA_UPLOAD_MAX_BYTES", "1M"),
        ("ARENA_LOG_FORMAT", "xml"),
        ("ARENA_KEEP_LOGS_DAYS", "-1"),
        ("ARENA_PAGES_KEPT_S", "-1"),
        ("ARENA_SIGN_UP", "ajar"),
    ],
)
def test_a_value_that_can_not_be_read_is_named(tmp_path: Path, name: str, value: str) -> None:
    ended = python("from league import settings", ARENA_HOME=str(tmp_path), **{name: value})
    assert ended.returncode == 1
    last = ended.stderr.strip().splitlines()[-1]
    assert name in last
    assert value in last


def test_debug_is_off_and_the_policy_strict_unless_said_otherwise(tmp_path: Path) -> None:
    program = "from league import settings as s; print(s.DEBUG, s.CONTENT_SECURITY_POLICY)"
    said = python(program, ARENA_HOME=str(tmp_path)).stdout
    assert said.startswith("False ")
    assert "unsafe" not in said


def test_a_site_behind_tls_passes_the_deployment_checks(tmp_path: Path) -> None:
    program = "from django.core.management import execute_from_command_line as run; import sys; run(sys.argv)"
    environment = {
        "ARENA_HOME": str(tmp_path),
        "ARENA_HTTPS": "1",
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "ARENA_SECRET_KEY": "k" * 30 + "0123456789abcdefghijklmnopqrstuvwxyz",
    }
    program = program.replace("sys.argv", "['manage.py', 'check', '--deploy', '--fail-level', 'WARNING']")
    ended = python(program, **environment)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(
    ("place", "address"),
    [
        ("redis://redis:6379/0", "redis://:r%40d%3As@redis:6379/0"),
        ("redis://worker1@10.0.0.1:6379/0", "redis://worker1:r%40d%3As@10.0.0.1:6379/0"),
    ],
)
def test_passwords_from_files_become_parts_of_addresses(tmp_path: Path, place: str, address: str) -> None:
    secrets = {"ARENA_SECRET_KEY": "key", "POSTGRES_PASSWORD": "p/w", "REDIS_PASSWORD": "r@d:s"}
    for name, value in secrets.items():
        (tmp_path / name).write_text(f"{value}\n")
    program = "from league import settings as s; d = s.DATABASES['default']; c = s.CACHES['default']; "
    program += "print(s.SECRET_KEY, d['PASSWORD'], s.CELERY_BROKER_URL, c['LOCATION'])"
    served = {"DATABASE_URL": "postgres://arena@db/arena", "REDIS_URL": place}
    files = {f"{name}_FILE": str(tmp_path / name) for name in secrets}
    ended = python(program, ARENA_HOME=str(tmp_path), **served, **files)
    assert ended.stdout.split() == ["key", "p/w", address, address], ended.stderr


def test_who_stands_still_in_a_transaction_loses_it_with_its_lease(tmp_path: Path) -> None:
    program = "from league import settings as s; print(s.DATABASES['default']['OPTIONS']['options'])"
    environment = {"ARENA_HOME": str(tmp_path), "DATABASE_URL": "postgres://arena:pw@db/arena", "ARENA_LEASE_S": "120"}
    assert python(program, **environment).stdout.strip() == "-c idle_in_transaction_session_timeout=120s"


@pytest.mark.parametrize(("wanted", "prepared"), [("", "True 5"), ("false", "None None")])
def test_queries_of_postgresql_are_prepared_unless_a_pooler_forbids_it(wanted: str, prepared: str) -> None:
    program = """
from league.settings import DATABASES
options = DATABASES["default"]["OPTIONS"]
print(options.get("server_side_binding"), options.get("prepare_threshold"))
"""
    environment = {"DATABASE_URL": "postgres://arena@127.0.0.1/arena"}
    if wanted:
        environment["ARENA_PREPARED_QUERIES"] = wanted
    assert python(program, **environment).stdout.strip() == prepared


def test_a_secret_in_the_environment_goes_before_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNOCK", "thrice")
    monkeypatch.setenv("KNOCK_FILE", "/dev/null")
    assert secret("KNOCK") == "thrice"
    assert secret("NOBODY_SET_THIS") == ""


@pytest.mark.parametrize(
    ("file", "words"),
    [("nowhere", "KNOCK_FILE: can't read 'nowhere'"), ("/dev/null", "KNOCK_FILE: '/dev/null' is empty")],
)
def test_a_secret_that_its_file_does_not_give_is_named(monkeypatch: pytest.MonkeyPatch, file: str, words: str) -> None:
    monkeypatch.setenv("KNOCK_FILE", file)
    with pytest.raises(ImproperlyConfigured, match=words):
        secret("KNOCK")


@pytest.mark.parametrize("name", ["ARENA_DEBUG", "ARENA_HTTPS", "ARENA_PREPARED_QUERIES"])
@pytest.mark.parametrize(
    ("value", "told"), [("ture", "expected true or false, got 'ture'"), ("off", ""), ("Yes", ""), ("", "")]
)
def test_what_is_neither_true_nor_false_is_refused(name: str, value: str, told: str) -> None:
    environment = {"DATABASE_URL": "postgres://arena@127.0.0.1/arena", "ARENA_HOSTS": "a.example", name: value}
    ended = python("import league.settings", **environment)
    assert f"{name}: {told}" in ended.stderr if told else ended.returncode == 0, ended.stderr
