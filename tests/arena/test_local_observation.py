"""A bot of this process is shown what one in a sandbox is."""

from random import Random
from typing import Any

from bots import Random1
from games import new_game, random_game, rulesets, seeds
from hypothesis import given, settings

from arena import SUITS
from arena.events import told
from arena.local_observation import Followed, LocalObservation
from arena.match import play
from arena.observation import Observation
from arena.players import LocalPlayer
from arena.replay import Record, as_dict
from arena.ruleset import Ruleset, TimeControl
from arena.state import State
from arena.witness import Witness

SHOWN = [name for name, value in vars(Observation).items() if isinstance(value, property) and name != "state"]


@settings(max_examples=20)
@given(rulesets, seeds)
def test_at_each_action_both_kinds_show_the_same(ruleset: Ruleset, seed: int) -> None:
    start = new_game(ruleset, seed)
    by_events = [Observation(ruleset, seat, 1, start.dealer, (3, 4)) for seat in range(2)]
    choices: list[int] = []
    local = [LocalObservation(Followed(start, start, choices), seat, 1, (3, 4)) for seat in range(2)]
    for before, action, _ in random_game(ruleset, seed):
        for seat, event in zip((before.to_move, 1 - before.to_move), told(before, action), strict=True):
            local[seat]._table = before  # the driver's states stand still
            if len(before.legal_actions()) > 1:  # only then is anybody asked
                agree(local[seat], by_events[seat])
            assert by_events[seat].update(event) == 1
        if len(before.legal_actions()) > 1:
            choices.append(action)


def agree(local: Observation, by_events: Observation) -> None:
    for name in SHOWN:
        assert getattr(local, name) == getattr(by_events, name), name
    assert vars_of(local.state) == vars_of(by_events.state)
    assert [local.unseen(suit) for suit in SUITS] == [by_events.unseen(suit) for suit in SUITS]
    assert vars_of(local.sample(Random(1))) == vars_of(by_events.sample(Random(1)))


def vars_of(state: State) -> dict[str, Any]:
    return {name: getattr(state, name) for name in State.__slots__}


def test_what_a_bot_is_shown_does_not_change_the_game() -> None:
    """Changing it would be cheating, if only oneself."""

    class Grabber:
        def play(self, observation: Observation) -> Any:
            observation.state.scores[observation.seat] += 1_000
            observation.state.hands[observation.seat].clear()
            return observation.legal_plays[-1]

    class Honest:
        def play(self, observation: Observation) -> Any:
            return observation.legal_plays[-1]

    assert games_of(played(Grabber)) == games_of(played(Honest))


@settings(max_examples=20)
@given(rulesets, seeds)
def test_a_match_is_the_same_by_looking_and_by_events(ruleset: Ruleset, seed: int) -> None:
    """A witness passes on messages alone, as the wire to a sandbox does."""
    looking = play((LocalPlayer(Random1), LocalPlayer(Random1)), ruleset, TimeControl(), seed)
    told_of = play((Witness(LocalPlayer(Random1)), Witness(LocalPlayer(Random1))), ruleset, TimeControl(), seed)
    assert games_of(looking) == games_of(told_of)


def played(bot: Any) -> Record:
    return play((LocalPlayer(bot), LocalPlayer(bot)), Ruleset(games=2), TimeControl(), 5)


def games_of(record: Record) -> list[dict[str, Any]]:
    """Without the times, which no two matches share."""
    return [{**game, "times": len(game["times"])} for game in as_dict(record)["games"]]
