"""Standings and ratings are a pure function of the results: whatever happened, what is stored is what follows from the
rows of the matches, in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from random import Random

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena import rating, standings
from arena.match import play
from arena.players import LocalPlayer
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl
from league.bots.models import Bot, Version
from league.matches import pairing, roster
from league.matches import services as matches
from league.matches.models import Match
from league.matches.services import BotLog
from league.standings import services
from league.standings.models import Fit, Standing, Table
from league.tournaments import services as tournaments
from league.tournaments.models import Disqualification

Activate = Callable[..., Version]
Step = tuple[str, int, int]

NAMES = ("Pawn", "Rook", "King", "Queen")
LOGS = BotLog(), BotLog()
ENDED = {
    2: {"outcome": "draw", "forfeits": "", "points_a": 90, "points_b": 90},
    3: {"outcome": "none", "forfeits": "AB", "points_a": 0, "points_b": 0},
}
"""How some matches end that the two players at hand don't come to."""
COMMON = ["play"] * 8 + ["refresh"] * 2
RARE = ["late", "annul", "submit", "roll back", "retire", "come back", "delete", "disqualify"]
STEPS = st.lists(st.tuples(st.sampled_from(COMMON + RARE), st.integers(0, 3), st.integers(0, 5)), max_size=40)


class Passer:
    def play(self, observation: object) -> tuple[()]:
        return ()


class Raiser:
    def play(self, observation: object) -> object:
        raise ValueError("no idea")


@cache
def record(which: int) -> Record:
    """A match that A or B wins, in turn by that number."""
    a, b = (Raiser, Passer) if which % 2 else (Passer, Raiser)
    return play((LocalPlayer(a), LocalPlayer(b)), Ruleset(games=1), TimeControl(), 7)


class League:
    """Some bots and what is done to them; what can't be done at the time is left out."""

    def __init__(self, activate: Activate) -> None:
        self.activate = activate
        self.ladder = tournaments.ladder()
        self.uploads = 0
        for name in NAMES[:3]:
            self.submit(name)

    def do(self, step: Step) -> None:
        verb, who, which = step
        if verb == "play":
            self.play(which)
        elif verb == "late":
            self.record_late(which)
        elif verb == "annul":
            self.annul(4 * who + which)
        elif verb == "refresh":
            assert services.refresh(self.ladder)
        else:
            with suppress(ValidationError):
                self.decide(verb, NAMES[who], which)

    def submit(self, name: str) -> None:
        self.uploads += 1
        self.activate(name, f"class Bot: ...\n# {self.uploads}\n".encode())

    def play(self, which: int) -> None:
        """Have the next match recorded, and once more, which changes nothing."""
        if match := matches.claim("a worker"):
            assert matches.record(match, record(which), LOGS)
            assert not matches.record(match, record(which + 1), LOGS)
            Match.objects.filter(pk=match.pk).update(**ENDED.get(which, {}))

    def record_late(self, which: int) -> None:
        """Have the next match taken from its worker, who then comes with a result."""
        if match := matches.claim("a worker"):
            assert matches.release(match)
            assert not matches.record(match, record(which), LOGS)

    def annul(self, which: int) -> None:
        tournaments.touch(self.ladder)
        numbers = Match.objects.order_by("pk").values_list("pk", flat=True)[which : which + 1]
        Match.objects.filter(pk__in=list(numbers)).update(status=Match.Status.ANNULLED)

    def decide(self, verb: str, name: str, which: int) -> None:
        bot = Bot.objects.filter(name=name).first()
        if verb == "submit":
            if bot is None or not bot.deleted_at:
                self.submit(name)
        elif bot is None:
            return
        elif verb == "roll back":
            versions = bot.versions.order_by("pk")
            roster.roll_back(versions[which % versions.count()])
        elif verb == "disqualify":
            self.disqualify(bot)
        else:
            {"retire": roster.retire, "come back": roster.come_back, "delete": roster.delete}[verb](bot)

    def disqualify(self, bot: Bot) -> None:
        Disqualification.objects.get_or_create(tournament=self.ladder, bot=bot, lifted_at=None)
        tournaments.touch(self.ladder)
        for version in bot.versions.all():
            pairing.withdraw(self.ladder, version)


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside is not done."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def playing() -> set[int]:
    """The versions that play, by what their owners and organisers decided."""
    active = Version.objects.filter(status="active", bot__retired_at=None, bot__deleted_at=None)
    banned = Disqualification.objects.filter(lifted_at=None).values_list("bot", flat=True)
    return set(active.exclude(bot__in=list(banned)).values_list("pk", flat=True))


def played(versions: set[int], rng: Random) -> list[Match]:
    """Their matches that were played, in any order."""
    found = [match for match in Match.objects.all() if match.status == "played"]
    rng.shuffle(found)
    return [match for match in found if {match.version_a_id, match.version_b_id} <= versions]


def counted(version: int, rows: list[Match]) -> dict[str, int]:
    """What that version has played, one match after the other."""
    sums = dict.fromkeys(("played", "won", "drawn", "lost", "points_for", "points_against", "faults"), 0)
    for match in rows:
        for seat, who, own, other in (
            ("A", match.version_a_id, match.points_a, match.points_b),
            ("B", match.version_b_id, match.points_b, match.points_a),
        ):
            if who == version:
                sums["played"] += 1
                sums["drawn" if match.outcome == "draw" else "won" if match.outcome == seat else "lost"] += 1
                sums["points_for"] += own
                sums["points_against"] += other
                sums["faults"] += seat in match.forfeits
    return sums


def assert_stored_is_computed(rng: Random) -> None:
    versions = playing()
    rows = played(versions, rng)
    results = [
        standings.Result(
            each.version_a_id, each.version_b_id, each.outcome, each.points_a, each.points_b, each.forfeits
        )
        for each in rows
    ]
    stored = {row.version_id: row for row in Standing.objects.all()}
    assert set(stored) == versions
    for version in versions:
        sums = counted(version, rows)
        assert {name: getattr(stored[version], name) for name in sums} == sums
        assert stored[version].match_points == 2 * sums["won"] + sums["drawn"]
        assert (stored[version].rank is None) == (sums["played"] == 0)
    for row in standings.table(results, sorted(versions, key=lambda _: rng.random())):
        found = stored[row.entrant]
        decided = row.decided.value if row.decided else ""
        assert (found.rank, found.decided, found.sonneborn_berger) == (row.rank, decided, row.sonneborn_berger)
    with_result = {who for each in results if each.outcome != "none" for who in each[:2]}
    ratings = rating.rate(results, sorted(with_result, key=lambda _: rng.random()))
    expected = {each.entrant: (each.elo, each.error) for each in ratings.rows()}
    assert {pk: (row.elo, row.elo_error) for pk, row in stored.items() if row.elo is not None} == expected
    assert bytes(Fit.objects.get().ratings) == ratings.packed()


@pytest.mark.django_db
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, rng=st.randoms(use_true_random=False))
def test_what_is_stored_follows_from_the_matches_alone(activate: Activate, steps: list[Step], rng: Random) -> None:
    with undone():
        league = League(activate)
        for step in steps:
            league.do(step)
            if step[0] == "refresh":
                assert_stored_is_computed(rng)
        services.refresh_stale()
        assert not Table.objects.get().stale
        assert_stored_is_computed(rng)
