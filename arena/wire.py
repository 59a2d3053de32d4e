"""The messages between a match and a bot: one JSON object a line, UTF-8, at most `LINE_BYTES`.

To the bot (`n` counts up from 0; `events` are what happened since the last message):

    {"id": 0, "op": "load", "seat": 0 | 1, "ruleset": {...}, "time_control": {...}}
    {"id": n, "op": "play", "events": [...]}
    {"id": n, "op": "choose_pile", "purpose": "deal" | "lobby" | "draw", "events": [...]}
    {"id": n, "op": "match_start" | "game_start" | "game_end" | "match_end", "events": [...]}

A request of the match carries one thing more, which stays with the player that passes it on: `"at": [game, decision]`,
as reasons name the place. Decisions count from 1 within a game, so that a bot could tell from them whether the other
had a choice. `game_start` is decision 0, and all before the first game is [0, 0].

From the bot, one answer to each:

    {"id": 0, "defines": ["play", ...]}            what it defines; the rest is never asked
    {"id": n, "cards": ["TH", "JH"]}               to play; no cards are a pass
    {"id": n, "pile": "H"}                         to choose_pile
    {"id": n}                                      to the hooks
    {"id": n, "error": {"kind": "exception" | "memory" | "exit", "message": "...", "traceback": "..."}}

Events are lists of ints, as one seat may see them:

    [0]                         the mover passed
    [1, card, ...]              the mover laid these cards
    [32 + suit, card, ...]      the mover took from that pile; the cards are those that this seat sees of it:
                                the lobby card, the card it drew itself, its own five of the deal, or none
    [40, game, dealer]          a game begins
"""

from __future__ import annotations

from typing import Any

Message = dict[str, Any]
Event = list[int]

LINE_BYTES = 65_536
MESSAGE_CHARS = 500
TRACEBACK_CHARS = 8_000

PLAY = "play"
CHOOSE_PILE = "choose_pile"
HOOKS = ("match_start", "game_start", "game_end", "match_end")
METHODS = (PLAY, CHOOSE_PILE, *HOOKS)
LAY = 1
GAME = 40
