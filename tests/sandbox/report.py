"""Every attack in both launchers, a line a case: `make hostile`.

What it runs are tests (`test_hostile.py`, `test_faults.py`): whatever has a launcher is a case. With
`--launcher process` it asks for no Docker engine. The findings go to build/hostile.json; exit code 1 where a case was
not contained, the honest bot was slower against hostile ones than it may be, or a launcher is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from sandbox import NoSandbox, open_launcher
from sandbox.engine import connect
from tests.sandbox.speed import GOAL, Speed

ROOT = Path(__file__).parents[2]
FILES = ("test_hostile.py", "test_faults.py")
LAUNCHERS = ("docker", "process")


class Report:
    """Prints a case once it has been through all launchers."""

    def __init__(self, launchers: tuple[str, ...]) -> None:
        self.launchers = launchers
        self.found: defaultdict[str, dict[str, str]] = defaultdict(dict)
        """Launcher and what was wrong, nothing if contained, by case."""
        self.speed = Speed()
        self._cases: dict[str, tuple[str, str]] = {}

    def pytest_configure(self, config: pytest.Config) -> None:
        config.pluginmanager.register(self.speed, "speed")

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[Any]) -> None:
        kept = []
        for item in items:
            launcher = getattr(item, "callspec", None) and item.callspec.params.get("launcher")
            if launcher in self.launchers:
                self._cases[item.nodeid] = (_name(item), launcher)
                kept.append(item)
        items[:] = kept

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        case, launcher = self._cases[report.nodeid]
        wrong = self.found[case].setdefault(launcher, "")
        if report.skipped:
            wrong = wrong or "skipped"
        elif report.failed:
            wrong = wrong or f"{report.when}: {_last_line(report.longreprtext)}"
        self.found[case][launcher] = wrong
        if report.when == "teardown" and len(self.found[case]) == len(self.launchers):
            verdicts = [f"{each} {_verdict(self.found[case][each])}" for each in self.launchers]
            print(f"{case:50.50} {'   '.join(verdicts)}", flush=True)

    @property
    def slowed(self) -> bool:
        return self.speed.median > GOAL

    @property
    def contained(self) -> int:
        return sum(not wrong for case in self.found.values() for wrong in case.values())

    @property
    def not_contained(self) -> int:
        return len(self.found) * len(self.launchers) - self.contained


def _name(item: Any) -> str:
    """The name of the attack: that of its test, or the id of its case."""
    parts = [part for part in item.callspec.id.split("-") if part not in LAUNCHERS]
    name = str(item.originalname).removeprefix("test_")
    return "-".join(parts) if name == "case" else " ".join([name, *parts])


def _verdict(wrong: str) -> str:
    return f"NOT contained ({wrong})" if wrong else "contained"


def _last_line(text: str) -> str:
    said = [line for line in text.splitlines() if line.startswith("E ")]
    return said[0][2:].strip()[:200] if said else text.strip()[-200:]


def _missing(launcher: str) -> str:
    """Why that launcher can't be had here; empty if it can."""
    try:
        if launcher == "docker":
            connect().close()
        else:
            open_launcher(launcher).close()
    except NoSandbox as reason:
        return str(reason)
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="make hostile", description="every attack on the sandbox, a line a case")
    parser.add_argument("--launcher", choices=LAUNCHERS, help="only this one; default: both")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "hostile.json", metavar="FILE")
    options = parser.parse_args()
    launchers = (options.launcher,) if options.launcher else LAUNCHERS
    for launcher in launchers:
        if reason := _missing(launcher):
            print(f"no {launcher} launcher: {reason}; ARGS='--launcher {_other(launcher)}' runs the other alone")
            return 1
    report = Report(launchers)
    files = [str(Path(__file__).with_name(name)) for name in FILES]
    code = pytest.main(["-p", "no:terminal", "-p", "no:randomly", *files], plugins=[report])
    options.output.parent.mkdir(exist_ok=True)
    speed = {"median": report.speed.median, "goal": GOAL, "ratios": report.speed.ratios}
    options.output.write_text(json.dumps({"launchers": launchers, "cases": report.found, "speed": speed}, indent=1))
    print(f"an honest bot's CPU time a decision, against just before: x {report.speed.median:.3f}   goal <= {GOAL:g}")
    line = f"{len(report.found)} cases x {len(launchers)} launchers: {report.contained} contained"
    print(f"{line}, {report.not_contained} not")
    return int(code != pytest.ExitCode.OK or report.not_contained > 0 or report.slowed or not report.found)


def _other(launcher: str) -> str:
    return next(each for each in LAUNCHERS if each != launcher)


if __name__ == "__main__":
    sys.exit(main())
