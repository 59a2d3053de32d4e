from typing import Any

import pytest
from bots import Longest, Random1, local_match

from arena import chance, wire
from arena.match import play
from arena.observation import Observation
from arena.outcome import Forfeit, Outcome, Termination
from arena.players import Answer, LocalPlayer
from arena.replay import verify
from arena.ruleset import Ruleset, TimeControl
from arena.state import PILE


class Scripted(LocalPlayer):
    """Gives one answer of its own at a decision, counted from 1."""

    def __init__(self, at: int, answer: Any, operation: str = "play", factory: Any = Random1) -> None:
        super().__init__(factory)
        self._at = at
        self._given = answer
        self._operation = operation
        self.asked = 0

    def ask(self, request: wire.Message) -> Answer:
        answer = super().ask(request)
        if request["op"] == self._operation:
            self.asked += 1
            if self.asked == self._at:
                if isinstance(self._given, Exception):
                    raise self._given
                return Answer(self._given, 0.0, 0.0)
        return answer


def match_against(player: LocalPlayer, **options: Any) -> Any:
    return play((LocalPlayer(Longest), player), Ruleset(**options), TimeControl(), 7)


def test_a_match_has_its_games_and_the_deal_alternates() -> None:
    record = local_match(Random1, Longest)
    assert len(record.games) == 12
    first = chance.first_dealer(7)
    assert [game.dealer for game in record.games] == [first, 1 - first] * 6
    verify(record)


def test_more_points_over_all_games_win_and_equal_points_are_a_draw() -> None:
    record = local_match(Random1, Longest)
    a, b = (sum(game.points[seat] for game in record.games) for seat in range(2))
    assert record.points == (a, b)
    assert a != b
    assert record.outcome == Outcome(winner=0 if a > b else 1)
    nothing = local_match(Passer, Passer, Ruleset(endgame="stop"))
    assert nothing.points == (0, 0)
    assert nothing.outcome == Outcome(winner=None)


class Passer:
    def play(self, observation: Observation) -> Any:
        return None if () in observation.legal_plays else observation.legal_plays[0]


def test_the_same_seed_gives_the_same_match() -> None:
    games = [[game.actions for game in local_match(Random1, Longest, seed=seed).games] for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_what_a_bot_does_not_define_is_not_asked_and_the_largest_pile_is_taken() -> None:
    class Quiet(LocalPlayer):
        operations: set[str] = set()  # noqa: RUF012

        def ask(self, request: wire.Message) -> Answer:
            self.operations.add(request["op"])
            return super().ask(request)

    record = play((Quiet(Longest), Quiet(Longest)), Ruleset(games=2), TimeControl(), 7)
    assert Quiet.operations == {"play"}
    assert record.games[0].actions[:2] == [PILE, PILE + 1]  # all equal: clubs; then the largest: diamonds


def test_the_hooks_that_are_defined_are_called_in_order() -> None:
    calls: list[Any] = []

    class Hooked(Longest):
        def match_start(self, seat: int, ruleset: Ruleset, time_control: TimeControl) -> None:
            calls.append(("match_start", seat, ruleset.games, time_control.decision_s))

        def game_start(self, observation: Observation) -> None:
            calls.append(("game_start", observation.game, observation.match_scores))

        def game_end(self, observation: Observation) -> None:
            calls.append(("game_end", observation.game, observation.score, observation.opponent_score))

        def match_end(self, points: int, opponent_points: int) -> None:
            calls.append(("match_end", points, opponent_points))

    record = local_match(Random1, Hooked, Ruleset(games=2))
    (a1, b1), (a2, b2) = (game.points for game in record.games)
    assert calls == [
        ("match_start", 1, 2, 1.0),
        ("game_start", 1, (0, 0)),
        ("game_end", 1, b1, a1),
        ("game_start", 2, (a1, b1)),
        ("game_end", 2, b2, a2),
        ("match_end", b1 + b2, a1 + a2),
    ]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (["AC", "2C"], "lay 2C AC on"),
        (["th"], "'th' is no card"),
        ([" 9S"], "' 9S' is no card"),
        (["9S", "9S", "9S", "9S", "9S", "9S"], "lay 9S 9S 9S 9S 9S 9S on"),
    ],
)
def test_an_illegal_lay_forfeits_and_names_the_legal_ones(answer: Any, said: str) -> None:
    record = match_against(Scripted(3, answer))
    assert record.outcome.winner == 0
    assert record.outcome.forfeits == (1,)
    assert record.outcome.termination == Termination.ILLEGAL
    assert record.outcome.reason.startswith("game 1, decision ")
    assert said in record.outcome.reason
    assert "legal: pass | " in record.outcome.reason or "cards are written" in record.outcome.reason
    verify(record)


@pytest.mark.parametrize("answer", ["X", "c", "", "CD", None])
def test_an_unknown_pile_forfeits(answer: Any) -> None:
    record = match_against(Scripted(1, answer, "choose_pile"))
    assert record.outcome.termination == Termination.ILLEGAL
    assert "is no pile; piles are named C, D, H, S" in record.outcome.reason


def test_an_empty_pile_forfeits() -> None:
    class Always:
        """Takes from clubs, though they run out."""

        def play(self, observation: Observation) -> Any:
            return max(observation.legal_plays, key=len)

        def choose_pile(self, observation: Observation, purpose: str) -> str:
            return "C"

    record = local_match(Longest, Always)
    assert record.outcome.termination == Termination.ILLEGAL
    assert "take from the pile of 'C'; legal: D | H | S" in record.outcome.reason


def test_passing_when_leading_from_hand_forfeits() -> None:
    class NeverLeads:
        def play(self, observation: Observation) -> Any:
            return None

    record = local_match(NeverLeads, NeverLeads)
    assert record.outcome.termination == Termination.ILLEGAL
    assert ": pass; legal: " in record.outcome.reason


def test_a_bot_that_raises_forfeits_with_its_message() -> None:
    class Broken(Random1):
        def play(self, observation: Observation) -> Any:
            if observation.game == 3:
                raise RuntimeError("lost my head")
            return super().play(observation)

    record = local_match(Broken, Longest)
    assert record.outcome.winner == 1
    assert record.outcome.termination == Termination.CRASH
    assert record.outcome.reason.startswith("game 3, decision ")
    assert record.outcome.reason.endswith("RuntimeError: lost my head")
    assert len(record.games) == 3
    assert record.points == (0, 1200)
    verify(record)


def test_the_other_keeps_what_it_scored_if_that_is_more() -> None:
    record = local_match(Longest, lambda: BreaksAtTheEnd(), Ruleset(decks=3))
    scored = sum(game.points[0] for game in record.games)
    assert scored > 1200
    assert record.points == (scored, 0)


class BreaksAtTheEnd(Longest):
    def match_end(self, points: int, opponent_points: int) -> None:
        raise ValueError("too late")


def test_a_bot_that_does_not_come_up_loses_and_if_both_do_not_both_lose() -> None:
    class NoPlay:
        pass

    record = local_match(Longest, NoPlay)
    assert record.outcome == Outcome(
        0, Termination.CRASH, (1,), "at load: NoBot: class Bot has no method play(self, observation)"
    )
    assert (record.games, record.points) == ((), (1200, 0))
    verify(record)
    both = local_match(NoPlay, NoPlay)
    assert (both.outcome.winner, both.outcome.forfeits, both.points) == (None, (0, 1), (0, 0))
    assert both.outcome.letter == "none"
    verify(both)


def test_a_fault_of_the_platform_is_nobodys_loss() -> None:
    with pytest.raises(OSError, match="engine gone"):
        match_against(Scripted(5, OSError("engine gone")))


def test_a_forfeit_raised_by_a_player_ends_the_match() -> None:
    record = match_against(Scripted(5, Forfeit(Termination.TIME, "no answer within 1 s")))
    assert record.outcome.termination == Termination.TIME
    assert record.outcome.reason.endswith(": no answer within 1 s")


def test_progress_is_told_after_each_game() -> None:
    done: list[int] = []
    play((LocalPlayer(Longest), LocalPlayer(Random1)), Ruleset(games=3), TimeControl(), 7, done.append)
    assert done == [1, 2, 3]


def test_a_request_says_where_the_match_is_as_reasons_do() -> None:
    """The decisions of both seats count, those with a choice alone; a hook before a game is its decision 0."""
    places: list[tuple[str, int, int]] = []

    class Placed(LocalPlayer):
        def load(self, start: wire.Message) -> None:
            places.append(("load", *start["at"]))
            super().load(start)

        def ask(self, request: wire.Message) -> Answer:
            places.append((request["op"], *request["at"]))
            return super().ask(request)

    class Hooked(Random1):
        def choose_pile(self, observation: Observation, purpose: str) -> str:
            return observation.legal_piles[0]

        def match_start(self, *_: Any) -> None: ...
        def game_start(self, *_: Any) -> None: ...
        def game_end(self, *_: Any) -> None: ...
        def match_end(self, *_: Any) -> None: ...

    record = play((Placed(Hooked), Placed(Hooked)), Ruleset(games=2), TimeControl(), 7)
    expected = [("load", 0, 0), ("match_start", 0, 0)]
    for number, game in enumerate(record.games, 1):
        decisions = len(game.actions)
        expected += [("game_start", number, 0), *((("decision", number, i + 1)) for i in range(decisions))]
        expected.append(("game_end", number, decisions + 1))
    expected.append(("match_end", 2, len(record.games[1].actions) + 1))
    asked = [("decision" if op in ("play", "choose_pile") else op, game, at) for op, game, at in places]
    hooks = ("load", "match_start", "game_start", "game_end", "match_end")
    assert [each for each in expected for _ in range(2 if each[0] in hooks else 1)] == asked
