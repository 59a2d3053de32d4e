"""Plays games that nobody sees, so that a process's forks find the rules' tables filled and the code optimized."""

from __future__ import annotations

from random import Random

from arena import wire
from arena.events import told
from arena.host import Host
from arena.observation import Observation
from arena.ruleset import Ruleset, TimeControl
from arena.state import PILE, State


class Bot:
    def play(self, observation: Observation) -> object:
        return observation.legal_plays[-1]


def rehearse(games: int) -> None:
    """Asks two bots at each choice of so many games; what is done then is drawn by lot, the same in each process."""
    rng = Random(0)
    hosts = Host(Bot), Host(Bot)
    rules = {"ruleset": Ruleset().as_dict(), "time_control": TimeControl().as_dict()}
    for seat, host in enumerate(hosts):
        host.answer({"id": 0, "op": "load", "seat": seat, **rules})
    for number in range(1, games + 1):
        _play(number, hosts, rng)


def _play(number: int, hosts: tuple[Host, Host], rng: Random) -> None:
    state = State(Ruleset(), [rng.sample(range(suit, 52, 4), 13) for suit in range(4)], dealer=0)
    events: list[list[wire.Event]] = [[[wire.GAME, number, 0]], [[wire.GAME, number, 0]]]
    while actions := state.legal_actions():
        mover = state.to_move
        if len(actions) > 1 and actions[0] < PILE:
            hosts[mover].answer({"id": number, "op": wire.PLAY, "events": events[mover]})
            events[mover] = []
        action = rng.choice(actions)
        for seat, event in zip((mover, 1 - mover), told(state, action), strict=True):
            events[seat].append(event)
        state.apply(action)
