"""What an organiser should look at: found by a worker, kept until somebody has looked, never acted upon."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Prefetch, QuerySet

from league.bots.models import Bot, Version
from league.organisers import fingerprints
from league.organisers.models import Flag
from league.organisers.suspicion import Suspect, suspects
from league.standings import services as standings
from league.tournaments.models import Entry, Tournament

SHOWN_VERSIONS = 12
SHOWN_BOTS = 4


class Row(NamedTuple):
    """A flag in a list."""

    flag: Flag
    bots: list[Bot]
    """The first of them, each once."""
    more: bool


def rows(found: QuerySet[Flag]) -> list[Row]:
    """Those flags with the first of their bots."""
    versions = Version.objects.select_related("bot").order_by("pk")[: SHOWN_VERSIONS + 1]
    flags: list[Any] = list(found.prefetch_related(Prefetch("versions", versions, to_attr="first")))
    return [_row(flag) for flag in flags]


def _row(flag: Any) -> Row:
    bots = list({version.bot_id: version.bot for version in flag.first}.values())
    return Row(flag, bots[:SHOWN_BOTS], len(bots) > SHOWN_BOTS or len(flag.first) > SHOWN_VERSIONS)


def waiting() -> QuerySet[Flag]:
    """Those that nobody has looked at, the latest first."""
    return Flag.objects.filter(looked_at=None).select_related("tournament").order_by("-pk")


def look_for_all() -> int:
    """Flag what is odd now in the open tables and among all sources; how many flags are new or have grown."""
    fingerprints.take_missing()
    found = sum(flag_results(tournament) for tournament in Tournament.objects.ranked().filter(closed_at=None))
    files = _owned_twice("sha256")
    found += sum(_flag_code(Flag.Kind.FILE, digest, versions) for digest, versions in files.items())
    code = _owned_twice("fingerprint__sha256")
    told = {frozenset(versions) for versions in files.values()}
    return found + sum(
        _flag_code(Flag.Kind.CODE, digest, versions)
        for digest, versions in code.items()
        if frozenset(versions) not in told
    )


def flag_results(tournament: Tournament) -> int:
    """Flag the pairs of that table whose results stand out; how many of these are new."""
    entered = Entry.objects.filter(tournament=tournament).values_list("version_id", flat=True)
    return sum(_flag_result(tournament, each) for each in suspects(standings.results(tournament), entered))


def _flag_result(tournament: Tournament, suspect: Suspect) -> bool:
    with transaction.atomic():
        flag, is_new = Flag.objects.get_or_create(
            kind=Flag.Kind.RESULT,
            key=f"{tournament.pk}-{suspect.a}-{suspect.b}",
            defaults={"tournament": tournament, "details": suspect._asdict()},
        )
        if is_new:
            flag.versions.set([suspect.a, suspect.b])
    return is_new


def _owned_twice(column: str) -> dict[str, list[int]]:
    """Versions by what that column has, where it is the same under several owners; the platform's bots aside."""
    versions = Version.objects.filter(bot__deleted_at=None).exclude(bot__owner__username=settings.HOUSE_USER)
    shared = (
        versions.exclude(**{column: ""})
        .order_by()
        .values(column)
        .annotate(owners=Count("bot__owner", distinct=True))
        .filter(owners__gt=1)
    )
    found: defaultdict[str, list[int]] = defaultdict(list)
    for digest, pk in (
        versions.filter(**{f"{column}__in": shared.values(column)}).order_by("pk").values_list(column, "pk")
    ):
        found[digest].append(pk)
    return found


def _flag_code(kind: Flag.Kind, digest: str, versions: Iterable[int]) -> bool:
    """Whether the flag is new, or has a version of an owner more, so that it wants to be looked at again."""
    with transaction.atomic():
        flag, is_new = Flag.objects.get_or_create(kind=kind, key=digest)
        before = set(flag.versions.values_list("bot__owner", flat=True))
        flag.versions.add(*versions)
        has_grown = not is_new and set(flag.versions.values_list("bot__owner", flat=True)) > before
        if has_grown:
            Flag.objects.filter(pk=flag.pk).update(looked_at=None)
    return is_new or has_grown
