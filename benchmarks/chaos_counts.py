"""What must be true of the league of `make chaos`: each count has its offenders, of which there may be none."""

from dataclasses import asdict
from itertools import combinations
from typing import Any

from arena import rating, standings
from arena.replay import Record
from arena.standings import Result
from benchmarks import chaos_bots, chaos_league
from league.bots.models import Trial, Version
from league.matches import recorded, verification
from league.matches.models import Checking, Match, Worker
from league.standings.models import Standing
from league.tournaments import services as tournaments
from league.tournaments.models import Entry

Again = dict[Match, Record]
"""What came of each played match when it was played again in this process."""


def of_league(bots: list[str]) -> dict[str, list[str]]:
    """Of what is stored; `bots` are the names of those that belong in the table."""
    matches = list(Match.objects.select_related("tournament", "replay", "version_a__bot", "version_b__bot"))
    again = {match: chaos_league.played(match) for match in matches if match.status == Match.Status.PLAYED}
    differing = {match: found for match, record in again.items() if (found := _difference(match, record))}
    forfeits = [match for match, record in again.items() if match.forfeits and match.forfeits != _forfeits(record)]
    return {
        "pairs without exactly one whole match": _holes(bots, again),
        "matches that came out otherwise when played again": [f"{match}: {said}" for match, said in differing.items()],
        "forfeits of bots that do not forfeit": [f"{match}: {match.reason}" for match in forfeits],
        "matches failed": [str(match) for match in matches if match.status == Match.Status.FAILED],
        "rows of the table other than computed again": _rows(again),
        "bots lost, or not rejected that should be": _lost(bots),
        "leases left": _leases(),
    }


def _difference(match: Match, again: Record) -> str:
    """What the match's row or its replay says otherwise than the match played again; its times may differ."""
    stored = recorded.read(match)
    told = [
        ("outcome", match.outcome, again.outcome.letter),
        ("forfeits", match.forfeits, _forfeits(again)),
        ("termination", match.termination, again.outcome.termination.value),
        ("reason", match.reason, again.outcome.reason),
        ("points", (match.points_a, match.points_b), again.points),
        ("games", match.games, [[game.dealer, *game.points, game.rounds] for game in again.games]),
        ("decisions", [game.actions for game in stored.games], [game.actions for game in again.games]),
    ]
    found = [f"{name} {one!r:.80}, not {other!r:.80}" for name, one, other in told if one != other]
    return ", ".join(found) or verification.difference(match.replay)


def _forfeits(record: Record) -> str:
    return "".join("AB"[seat] for seat in sorted(record.outcome.forfeits))


def _holes(bots: list[str], again: Again) -> list[str]:
    """Pairs that lack a match with all its games, or those up to the forfeit of a bot that forfeits; or have more."""
    whole = dict.fromkeys((frozenset(pair) for pair in combinations(bots, 2)), 0)
    wrong = []
    for match, record in again.items():
        pair = frozenset({match.version_a.bot.name, match.version_b.bot.name})
        is_whole = len(match.games) == (len(record.games) if _forfeits(record) else match.tournament.ruleset["games"])
        if pair in whole and is_whole:
            whole[pair] += 1
        else:
            wrong.append(f"{match} of {' and '.join(sorted(pair))}: {len(match.games)} games")
    return wrong + [f"{' and '.join(sorted(pair))}: {found}" for pair, found in whole.items() if found != 1]


def _rows(again: Again) -> list[str]:
    """Rows that are not as the matches played again say."""
    ladder = tournaments.ladder()
    results = [
        Result(match.version_a_id, match.version_b_id, record.outcome.letter, *record.points, _forfeits(record))
        for match, record in again.items()
    ]
    entered = Entry.objects.filter(tournament=ladder).values_list("version_id", flat=True)
    ratings = {row.entrant: row for row in rating.rate(results, rating.told_of(results)).rows()}
    expected = {row.entrant: _row(row, ratings) for row in standings.table(results, entered, ladder.legs)}
    stored = {row.version_id: row for row in Standing.objects.filter(tournament=ladder)}
    wrong = [f"version {entrant}: its row is there, or missing" for entrant in stored.keys() ^ expected.keys()]
    for entrant in stored.keys() & expected.keys():
        found = {name: getattr(stored[entrant], name) for name in expected[entrant]}
        if found != expected[entrant]:
            wrong.append(f"version {entrant}: {found}, not {expected[entrant]}")
    return wrong


def _row(row: standings.Row, ratings: dict[int, rating.Rating]) -> dict[str, Any]:
    """The columns of that row, as `Standing` has them."""
    counted = {name: value for name, value in asdict(row).items() if name not in ("entrant", "encounters")}
    rated = ratings.get(row.entrant)
    elo = {"elo": rated and rated.elo, "elo_error": rated and rated.error}
    return {**counted, **elo, "decided": row.decided or "", "match_points": row.match_points}


def _lost(bots: list[str]) -> list[str]:
    """Bots whose versions are not as they were submitted, or not judged as they deserve."""
    expected = {bot: [(1, "active")] for bot in bots} | {chaos_bots.DOOMED: [(1, "rejected")]}
    found: dict[str, list[tuple[int, str]]] = {}
    for version in Version.objects.select_related("bot"):
        found.setdefault(version.bot.name, []).append((version.number, version.status))
    names = sorted(expected.keys() | found.keys())
    return [f"{name}: {found.get(name)}" for name in names if found.get(name) != expected.get(name)]


def _leases() -> list[str]:
    """What is held, or waits, or is said to be there, although nobody is."""
    held = [
        *Match.objects.exclude(lease_until=None),
        *Match.objects.unfinished(),
        *Version.objects.exclude(lease_until=None),
        *Trial.objects.exclude(lease_until=None),
        *Checking.objects.all(),
    ]
    return [*map(str, held), *(f"worker {worker}" for worker in Worker.objects.all())]
