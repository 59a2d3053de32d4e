"""Stored replays, played again by the engine."""

from arena import replay
from league.matches.models import Match, Replay


def difference(stored: Replay) -> str:
    """What the engine, or the match's row, says otherwise than that replay; empty if all agree."""
    try:
        record = replay.decode(stored.format, stored.codec, bytes(stored.data))
        replay.verify(record)
    except replay.ReplayError as error:
        return str(error)
    encoded = replay.encode(record)
    if encoded.sha256 != stored.sha256:
        return f"expected data of hash {stored.sha256}, got {encoded.sha256}"
    for name, told, found in _columns(stored.match, record):
        if told != found:
            return f"{name}: the match says {told!r}, its replay {found!r}"
    return ""


def _columns(match: Match, record: replay.Record) -> list[tuple[str, object, object]]:
    outcome = record.outcome
    return [
        ("seed", match.seed, record.seed),
        ("outcome", match.outcome, outcome.letter),
        ("termination", match.termination, outcome.termination.value),
        ("points", (match.points_a, match.points_b), record.points),
        ("games", match.games, [[game.dealer, *game.points, game.rounds] for game in record.games]),
    ]
