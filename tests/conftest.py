"""What concerns all tests: the one line that says what a machine without a Docker engine left out."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [report for report in terminalreporter.getreports("skipped") if "docker" in report.keywords]
    if skipped:
        terminalreporter.write_line(f"{len(skipped)} Docker tests skipped: no Docker engine answers")
