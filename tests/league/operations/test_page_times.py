from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from league.operations.page_times import BOUNDS, PageTimes

ADD = """
import sys
from pathlib import Path
from league.operations.page_times import PageTimes
times = PageTimes(Path(sys.argv[1]), ("home", "rules"))
for _ in range(2000):
    times.add("rules", 0.25, failed=True)
"""


def test_answers_are_counted_by_view_and_length(tmp_path: Path) -> None:
    times = PageTimes(tmp_path / "times", ("home", "quiet", "rules"))
    for seconds in (0.004, 0.01, 0.2, 7.0):
        times.add("home", seconds, failed=seconds == 7.0)
    (home,) = times.read()
    assert BOUNDS == (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
    assert home.within == [2, 2, 2, 2, 3, 3, 3, 3, 3, 4]
    assert (home.view, home.failed) == ("home", 1)
    assert home.seconds == pytest.approx(7.214)


def test_processes_and_threads_count_together_and_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "times"
    ours = PageTimes(path, ("home", "rules"))
    others = [subprocess.Popen([sys.executable, "-c", ADD, str(path)]) for _ in range(2)]
    threads = [Thread(target=lambda: [ours.add("rules", 0.25, failed=False) for _ in range(2000)]) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [other.wait() for other in others] == [0, 0]
    (rules,) = ours.read()
    assert (rules.within[-1], rules.failed, rules.seconds) == (8000, 4000, 2000.0)


def test_counts_outlive_their_process_and_begin_anew_with_other_views(tmp_path: Path) -> None:
    PageTimes(tmp_path / "times", ("home",)).add("home", 1.0, failed=False)
    assert PageTimes(tmp_path / "times", ("home",)).read()[0].within[-1] == 1
    assert PageTimes(tmp_path / "times", ("home", "new")).read() == []


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        PageTimes(tmp_path / "nowhere/times", ("home",))
