"""Candidate as a PettingZoo environment of two agents who take turns.

    from arena.training import candidate_v0

    env = candidate_v0.env()
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

`player_0` and `player_1` are the seats A and B. An action is one of the 36 of `arena.state`. An observation has the
arrays `observation` (`arena.training.encoding`) and `action_mask`, 36 times 0 or 1, of which all are 0 for the agent
whose turn it isn't. It is made from what a bot is told, and holds nothing else.

Where there is only one choice it is made at once, as in a match of bots: an agent that is to move has two or more legal
actions. A game is over after some hundreds of actions at most, so nothing is ever truncated.
"""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arena import IllegalAction, Observation, Phase, Ruleset, State, chance
from arena.events import told
from arena.training.encoding import ACTIONS, bounds, encode, mask
from arena.training.rendering import table

Environment = AECEnv[str, Any, Any]
Observed = dict[str, NDArray[Any]]

REWARDS = ("taking", "end", "win")
ILLEGAL_REWARD = -100.0
"""What a bot that does what is not allowed loses in a match of one game."""


def env(render_mode: str | None = None, reward: str = "taking", **rules: Any) -> Environment:
    """The environment as agents should use it: an illegal action ends the episode, at the cost of `ILLEGAL_REWARD`.

    The arguments are those of `raw_env`.
    """
    raw = raw_env(render_mode, reward, **rules)
    forgiving = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(forgiving))


class raw_env(Environment):  # noqa: N801 - PettingZoo's name
    """The environment without wrappers: faster, and what is not allowed is an error."""

    metadata = {"name": "candidate_v0", "render_modes": ["ansi", "human"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None, reward: str = "taking", **rules: Any) -> None:
        """An environment that has to be reset before anything else.

        Args:
            render_mode: `ansi` lets `render()` return the table as text, `human` prints it after each step.
            reward: `taking`: whoever takes a lobby gets its points, the other loses as many; they add up to the
                difference of points. `end`: that difference, once, at the end. `win`: 1, 0 or -1 at the end.
            rules: Options of `arena.Ruleset`. An episode is `games` games, here 1 unless it is said.

        Raises:
            ValueError: a mode, a reward or an option that there is not.
        """
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode: expected {', '.join(modes)} or None, got {render_mode!r:.40}")
        if reward not in REWARDS:
            raise ValueError(f"reward: expected {', '.join(REWARDS)}, got {reward!r:.40}")
        self.render_mode = render_mode
        self.reward = reward
        self.ruleset = Ruleset.from_dict({"games": 1, **rules})
        self.possible_agents = ["player_0", "player_1"]
        low, high = bounds(self.ruleset)
        allowed = Box(0, 1, (ACTIONS,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": Box(low, high, dtype=np.float32), "action_mask": allowed})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(ACTIONS) for agent in self.possible_agents}
        self._seeds = Random()

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins an episode.

        Args:
            seed: The episode's seed as in `arena.chance`: the cards and the dealer are those of a match with that seed.
                Without it the next one is drawn by lot, and that again follows from the last seed given.
            options: Not used.
        """
        if seed is not None:
            self._seeds = Random(int(seed))
        self.match_seed = self._seeds.getrandbits(chance.SEED_BITS) if seed is None else int(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.points = [0, 0]
        """Of both seats in the games before this one."""
        self._begin(1)
        self._select()

    def observe(self, agent: str) -> Observed:
        seen = self.seen[self.possible_agents.index(agent)]
        return {"observation": encode(seen), "action_mask": mask(seen)}

    def step(self, action: int | None) -> None:
        """Carries out the mover's action, and all after it that leave no choice.

        Raises:
            IllegalAction: the rules don't allow it here.
        """
        mover = self.agent_selection
        if self.terminations[mover]:
            self._was_dead_step(action)
            return
        legal = self.game.legal_actions()
        if action is None or action not in legal:
            raise IllegalAction(f"expected an action of the mask ({', '.join(map(str, legal))}), got {action!r:.40}")
        before = self._lead()
        self._carry_out(int(action))
        while len(legal := self.game.legal_actions()) == 1:
            self._carry_out(legal[0])
        over = not legal
        self._cumulative_rewards[mover] = 0.0
        gained = self._gain(before, over)
        self.rewards = {"player_0": gained, "player_1": -gained}
        self._accumulate_rewards()
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()

    def render(self) -> str | None:
        """The table with both hands open: returned as text, or printed."""
        if self.render_mode is None:
            gymnasium.logger.warn("expected a render_mode to render, got None: make the environment with one")
            return None
        drawn = table(self.game, self.possible_agents)
        if self.render_mode == "ansi":
            return drawn
        print(drawn, end="\n\n")
        return None

    def close(self) -> None:
        """Does nothing: there is nothing to release."""

    def _begin(self, number: int) -> None:
        dealer = chance.dealer(self.match_seed, number)
        self.game = State(self.ruleset, chance.piles(self.match_seed, number, self.ruleset.decks), dealer)
        """The whole game, hidden cards included: no agent's business."""
        self.seen = [Observation(self.ruleset, seat, number, dealer, self.points) for seat in range(2)]
        """What a bot on each seat would be told."""

    def _carry_out(self, action: int) -> None:
        mover = self.game.to_move
        mine, others = told(self.game, action)
        self.seen[mover].update(mine)
        self.seen[1 - mover].update(others)
        self.game.apply(action)
        number = self.seen[0].game
        if self.game.phase == Phase.OVER and number < self.ruleset.games:
            self.points = [before + now for before, now in zip(self.points, self.game.scores, strict=True)]
            self._begin(number + 1)

    def _lead(self) -> int:
        """By how many points `player_0` is ahead in the match."""
        return self.points[0] + self.game.scores[0] - self.points[1] - self.game.scores[1]

    def _gain(self, before: int, over: bool) -> float:
        """The reward of `player_0` for a step; he was ahead by that many points before it."""
        lead = self._lead()
        if self.reward == "taking":
            return float(lead - before)
        if not over:
            return 0.0
        return float(lead) if self.reward == "end" else float((lead > 0) - (lead < 0))

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self.game.to_move]
        if self.render_mode == "human":
            self.render()
