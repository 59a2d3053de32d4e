"""What concerns all tests: signals, the Docker engine, and a line that counts what a machine without one leaves out."""

import os
import signal

import pytest


def pytest_configure() -> None:
    """A shell has its background jobs ignore SIGINT, and so would all processes that the tests start and interrupt."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _engine_answers() -> bool:
    from sandbox import NoSandbox
    from sandbox.engine import connect

    try:
        connect().close()
    except NoSandbox:
        return False
    return True


@pytest.fixture(scope="session")
def engine() -> None:
    """A Docker engine that answers; without one the test is skipped, or fails where one is required."""
    if not _engine_answers():
        if os.environ.get("ARENA_REQUIRE_DOCKER") == "1":
            pytest.fail("no Docker engine answers, and ARENA_REQUIRE_DOCKER=1")
        pytest.skip("no Docker engine answers")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    tmp_path_factory: pytest.TempPathFactory, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    """SQLite in a file, as the site has it: threads meet there as they do in earnest, in memory they fail at once."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        database.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [report for report in terminalreporter.getreports("skipped") if "docker" in report.keywords]
    if skipped:
        terminalreporter.write_line(f"{len(skipped)} Docker tests skipped: no Docker engine answers")
