"""The example learns, and what it writes is a bot that may be uploaded."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import train_agent
from arena import Observation, Ruleset, cards
from arena.bots import random
from arena.players import LocalPlayer
from arena.qualification import qualify
from arena.training.encoding import encode, mask
from trained_bot import Policy, describe


@pytest.fixture(scope="module")
def policy() -> Policy:
    return train_agent.train(games=64, seed=0)


def test_a_short_training_beats_random(policy: Policy) -> None:
    # 100 games of equal bots come out at 0.62 or above once in a hundred times.
    assert train_agent.share_won(policy, 100) > 0.62


def test_the_same_seed_trains_the_same_policy() -> None:
    first, again = (train_agent.train(games=16, seed=1) for _ in range(2))
    assert np.array_equal(first.first, again.first)
    assert np.array_equal(first.second, again.second)
    assert first.second.any()


def bot_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The class Bot of that folder, whose own modules come first, as in the sandbox."""
    monkeypatch.syspath_prepend(folder)
    found = importlib.util.spec_from_file_location("uploaded_bot", folder / "bot.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.Bot


def test_the_folder_it_writes_passes_the_qualification(
    policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train_agent.write_bot(tmp_path, policy)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot.py", "encoding.py", "weights.npz"]
    assert "arena.training" not in (tmp_path / "bot.py").read_text()
    verdict = qualify(LocalPlayer(bot_in(tmp_path, monkeypatch)), LocalPlayer(random.Bot))
    assert verdict.passed, verdict.traceback


def test_a_lay_is_described_by_the_lobby_that_it_leaves() -> None:
    seen = Observation(Ruleset(games=1), seat=0, game=1, dealer=1)
    seen.update([32, *map(int, cards("4C 6C 8C TC QC"))])  # the deal: from clubs, these are mine
    seen.update([34, *map(int, cards("7H"))])
    actions = np.flatnonzero(mask(seen))
    passing, laying = describe(encode(seen), actions)
    # a constant; no lay; 7H alone, which nobody would take; of the eight clubs I have not seen he has five, and 7C fits
    assert passing.tolist() == pytest.approx([1, 0, 0, 0, 1 / 5, 0, 0, 5 / 8 * 0.1, 5 / 8, 1, 0] + 10 * [0])
    # 8C makes a run of 2 x 2 points, counted in tens; he has 9C with 5/8, and then I have TC
    assert laying.tolist() == pytest.approx([1, 1, 1 / 5, 1 / 5, 2 / 5, 0.4, 0, 5 / 8 * 0.4, 5 / 8, 0, 1] + 10 * [0])
