"""What concerns all tests: one line that counts what a machine without a Docker engine leaves out."""

import pytest


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
