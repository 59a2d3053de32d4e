"""The round robin: a match for each pair of the versions that are entered now, and none that waits for others."""

import secrets
from collections.abc import Iterable, Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from arena.chance import SEED_BITS
from arena.pairing import pairs_with
from league import doorbell
from league.bots import services as bots
from league.bots.findings import Finding
from league.bots.models import Bot, Version
from league.matches.models import Match
from league.tournaments import registration
from league.tournaments import services as tournaments
from league.tournaments.models import Disqualification, Entry, Registration, Tournament


def admit(version: Version, finding: Finding) -> bool:
    """Make a version that passed its check active, and part of the ladders unless its bot is retired.

    In seasons that it was submitted in time for, it is what plays for its bot.

    False where the check is held no more.
    """
    ladders = tournaments.ladders()
    with transaction.atomic():
        tournaments.touch(*ladders, *registration.coming(version.bot_id))
        if not bots.finish_check(version, finding, passed=True):
            transaction.set_rollback(True)
            return False
        if not Bot.objects.filter(pk=version.bot_id, retired_at__isnull=False).exists():
            let_play(ladders, version)
        registration.follow(version, version.created_at)
    return True


def let_play(ladders: Iterable[Tournament], version: Version) -> None:
    """Have that version play on the ladders for its bot, unless it is disqualified there.

    The matches of the version that did so before are cancelled. The caller has touched the ladders.
    """
    for ladder in ladders:
        if tournaments.is_disqualified(ladder, version.bot_id):
            continue
        before = tournaments.enter(ladder, version)
        if before is not None:
            cancel(ladder, before)
        pair(ladder, version)


def missing(tournament: Tournament) -> QuerySet[Version]:
    """Versions that belong in the tournament and are not entered yet.

    In a ladder these are active versions, as when the ladder is new or a disqualification was lifted; in a season, once
    it has started, those that are registered.
    """
    versions = Version.objects.filter(bot__deleted_at=None)
    if tournament.kind == Tournament.Kind.LADDER:
        versions = versions.filter(status=Version.Status.ACTIVE, bot__retired_at=None)
    else:
        registered = Registration.objects.filter(tournament__season__started_at__isnull=False, tournament=tournament)
        versions = versions.filter(pk__in=registered.values("version"))
    entered = Entry.objects.filter(tournament=tournament, bot=OuterRef("bot"))
    barred = Disqualification.objects.filter(tournament=tournament, bot=OuterRef("bot"), lifted_at=None)
    return versions.filter(~Exists(entered), ~Exists(barred)).order_by("pk")


def fill(tournament: Tournament) -> int:
    """Enter what is missing in the tournament, each version with its matches in a transaction of its own.

    How many those were. A thousand bots have half a million matches: nobody else waits for more than one bot's.
    """
    entered = 0
    for version in missing(tournament):
        with transaction.atomic():
            tournaments.touch(tournament)
            still_open = Tournament.objects.filter(pk=tournament.pk, closed_at=None).exists()
            if still_open and missing(tournament).filter(pk=version.pk).exists():
                tournaments.enter(tournament, version)
                pair(tournament, version)
                entered += 1
    return entered


def fill_all() -> int:
    """Enter what is missing in open ladders and seasons; how many versions those were."""
    return sum(fill(tournament) for tournament in Tournament.objects.ranked().filter(closed_at=None).order_by("pk"))


def withdraw(tournament: Tournament, version: Version) -> None:
    """Take that version out of the tournament: its matches that were not played are cancelled."""
    with transaction.atomic():
        tournaments.touch(tournament)
        if tournaments.leave(tournament, version):
            cancel(tournament, version)


def pair(tournament: Tournament, version: Version) -> None:
    """Queue the matches that this entered version lacks against the others; those once cancelled are taken up again."""
    others = Entry.objects.filter(tournament=tournament).exclude(version=version)
    numbers = list(others.values_list("version_id", flat=True))
    Match.objects.bulk_create(
        (
            Match(tournament=tournament, version_a_id=a, version_b_id=b, leg=leg, seed=seed)
            for pair in pairs_with(version.pk, numbers)
            for a, b, leg, seed in legs(*pair, tournament.legs)
        ),
        batch_size=500,
        ignore_conflicts=True,
    )
    _of(tournament, version).filter(
        Q(version_a__in=numbers) | Q(version_b__in=numbers), status=Match.Status.CANCELLED
    ).update(status=Match.Status.QUEUED, not_before=None, finished_at=None)
    doorbell.top_up(doorbell.PLAY, len(numbers) * tournament.legs)


def legs(a: int, b: int, count: int) -> Iterator[tuple[int, int, int, int]]:
    """Both versions, leg and seed of each match of a pair.

    Each second leg is the mirror of the one before: the same deals, with the seats exchanged. So what luck gave to one
    it gives to the other. They are matches of their own, since a bot remembers what it saw in one.
    """
    for leg in range(1, count + 1):
        if leg % 2:
            seed = secrets.randbits(SEED_BITS)
            yield a, b, leg, seed
        else:
            yield b, a, leg, seed


def cancel(tournament: Tournament, version: Version) -> None:
    """Cancel that version's matches that are not played yet; who plays one of them finds that it is held no more."""
    _of(tournament, version).filter(status__in=[Match.Status.QUEUED, Match.Status.RUNNING]).update(
        status=Match.Status.CANCELLED, lease_until=None
    )


def _of(tournament: Tournament, version: Version) -> QuerySet[Match]:
    return Match.objects.filter(Q(version_a=version) | Q(version_b=version), tournament=tournament)
