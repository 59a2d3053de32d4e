"""Plays a match between two players: the shared engine of worker, command line and training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena import chance, wire
from arena.cards import BY_TEXT, SUITS
from arena.events import told
from arena.outcome import Forfeit, Outcome, Termination
from arena.players import Answer, LocalPlayer, Player
from arena.replay import ENGINE, TICKS_A_S, Game, Record
from arena.ruleset import Ruleset, TimeControl
from arena.state import DEAL, DRAW, LOBBY, PILE, IllegalAction, State, place

PURPOSES = {DEAL: "deal", LOBBY: "lobby", DRAW: "draw"}


def play(
    players: tuple[Player, Player],
    ruleset: Ruleset,
    time_control: TimeControl,
    seed: int,
    on_game: Callable[[int], None] | None = None,
) -> Record:
    """The record of a whole match. A forfeit ends it and is part of the record.

    Args:
        players: Seats A and B; they are loaded here, and left open.
        ruleset: The rules, with the number of games.
        time_control: Told to the bots; the players themselves keep it.
        seed: All chance of the match (`arena.chance`).
        on_game: Called with the number of each game that was played out.

    Raises:
        Exception: whatever else than a `Forfeit` a player raises; then nobody has lost.
    """
    match = _Match(players, ruleset, time_control, seed)
    outcome = match.load() or match.run(on_game)
    return Record(ruleset, time_control, seed, ENGINE, tuple(match.games), outcome)


class _Seat:
    """A player with what it has not been told yet."""

    def __init__(self, number: int, player: Player) -> None:
        self.number = number
        self.player = player
        self.unsent: list[wire.Event] = []
        self.messages = 0

    def ask(self, operation: str, at: list[int], purpose: str = "") -> Answer:
        """The answer to an operation that the bot defines."""
        self.messages += 1
        request = {"id": self.messages, "op": operation, "at": at, "events": self.unsent}
        if purpose:
            request["purpose"] = purpose
        self.unsent = []
        return self.player.ask(request)


class _Match:
    def __init__(self, players: tuple[Player, Player], ruleset: Ruleset, time_control: TimeControl, seed: int) -> None:
        self.ruleset = ruleset
        self.time_control = time_control
        self.seed = seed
        self.seats = [_Seat(number, player) for number, player in enumerate(players)]
        self.games: list[Game] = []
        self.asked: _Seat = self.seats[0]

    def load(self) -> Outcome | None:
        """Loads both bots; the outcome if one or both did not come up."""
        failed: dict[int, Forfeit] = {}
        for seat in self.seats:
            start = {
                "id": 0,
                "op": "load",
                "at": self._at(),
                "seat": seat.number,
                "ruleset": self.ruleset.as_dict(),
                "time_control": self.time_control.as_dict(),
            }
            try:
                seat.player.load(start)
            except Forfeit as forfeit:
                failed[seat.number] = forfeit
        if not failed:
            return None
        seats = tuple(failed)
        first = failed[seats[0]]
        winner = None if len(seats) > 1 else 1 - seats[0]
        return Outcome(winner, first.termination, seats, f"at load: {first.reason}")

    def run(self, on_game: Callable[[int], None] | None) -> Outcome:
        """Plays the games and tells who won."""
        try:
            self._tell("match_start")
            for number in range(1, self.ruleset.games + 1):
                self._play_game(number)
                if on_game:
                    on_game(number)
            self._tell("match_end")
        except Forfeit as forfeit:
            loser = self.asked.number
            return Outcome(1 - loser, forfeit.termination, (loser,), f"{self._where()}: {forfeit.reason}")
        a, b = (sum(game.points[seat] for game in self.games) for seat in range(2))
        return Outcome(None if a == b else int(b > a))

    def _at(self) -> list[int]:
        """The game and its next decision, or the one that would be next."""
        return [len(self.games), len(self.games[-1].actions) + 1] if self.games else [0, 0]

    def _where(self) -> str:
        game, decision = self._at()
        return f"game {game}, decision {decision}" if game else "before game 1"

    def _tell(self, hook: str, at: list[int] | None = None) -> None:
        for seat in self.seats:
            self.asked = seat
            if hook in seat.player.defines:
                seat.ask(hook, at or self._at())

    def _play_game(self, number: int) -> None:
        dealer = chance.dealer(self.seed, number)
        state = State(self.ruleset, chance.piles(self.seed, number, self.ruleset.decks), dealer)
        game = Game(dealer)
        self.games.append(game)
        listeners = []
        for seat in self.seats:
            seat.unsent.append([wire.GAME, number, dealer])
            if isinstance(seat.player, LocalPlayer):
                seat.player.follow(state, game.actions)
            else:
                listeners.append(seat)
        try:
            self._tell("game_start", [number, 0])
            while actions := state.legal_actions():
                action = self._decide(state, actions, game) if len(actions) > 1 else actions[0]
                if listeners:
                    mine, others = told(state, action)
                    for seat in listeners:
                        seat.unsent.append(mine if seat.number == state.to_move else others)
                state.apply(action)
            self._tell("game_end")
        finally:
            game.points = (state.scores[0], state.scores[1])
            game.rounds = state.rounds

    def _decide(self, state: State, actions: Sequence[int], game: Game) -> int:
        """The mover's choice, put down with its CPU time; the engine's own choice where the bot defines none."""
        self.asked = seat = self.seats[state.to_move]
        ticks = 0
        if actions[0] < PILE:
            value, cpu_s, _ = seat.ask(wire.PLAY, self._at())
            action = _read_lay(state, actions, value)
            ticks = round(cpu_s * TICKS_A_S)
        elif wire.CHOOSE_PILE in seat.player.defines:
            value, cpu_s, _ = seat.ask(wire.CHOOSE_PILE, self._at(), purpose=PURPOSES[state.phase])
            action = _read_pile(state, value)
            ticks = round(cpu_s * TICKS_A_S)
        else:
            action = default_pile(state)
        game.actions.append(action)
        game.times.append(ticks)
        return action


def default_pile(state: State) -> int:
    """The engine's choice for a bot without choose_pile: the largest pile, the first of equal ones."""
    sizes = [*map(len, state.piles)]
    return PILE + sizes.index(max(sizes))


def _read_lay(state: State, actions: Sequence[int], value: Any) -> int:
    laid = []
    for word in value:
        if word not in BY_TEXT:
            raise Forfeit(Termination.ILLEGAL, f"{word!r:.60} is no card; cards are written such as 'TH'")
        laid.append(BY_TEXT[word])
    action = place(laid, state.hands[state.to_move])
    if action in actions:
        return action
    try:
        return state.lay(laid)
    except IllegalAction as illegal:
        raise Forfeit(Termination.ILLEGAL, str(illegal)) from None


def _read_pile(state: State, value: Any) -> int:
    if value not in tuple(SUITS):
        raise Forfeit(Termination.ILLEGAL, f"{value!r:.60} is no pile; piles are named {', '.join(SUITS)}")
    try:
        return state.take(value)
    except IllegalAction as illegal:
        raise Forfeit(Termination.ILLEGAL, str(illegal)) from None
