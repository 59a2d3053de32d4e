"""The way of a season: announced, started once its deadline has passed, closed with its final table."""

from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.ruleset import Ruleset, TimeControl
from league.matches import pairing
from league.matches.models import Match
from league.tournaments import registration
from league.tournaments import services as tournaments
from league.tournaments.models import Season, Tournament

MOST_LEGS = 10
LEAST_BOTS = 2
STILL_STORED = timedelta(seconds=5)
"""After its deadline a season waits so long for transactions in which something was stored just in time."""
OPEN = (Match.Status.QUEUED, Match.Status.RUNNING, Match.Status.FAILED)


def announce(
    name: str,
    slug: str,
    opens_at: datetime,
    deadline_at: datetime,
    *,
    ruleset: Ruleset | None = None,
    time_control: TimeControl | None = None,
    legs: int = 1,
    bots_per_user: int = 1,
    about: str = "",
) -> Season:
    """A new season, for which bots can register from `opens_at` until just before `deadline_at`.

    Raises:
        ValidationError: the times or the legs make no season, or the address is taken.
    """
    _refuse_times(opens_at, deadline_at)
    if not 1 <= legs <= MOST_LEGS:
        raise ValidationError(_("A pair plays 1 to %(most)s matches."), code="legs", params={"most": MOST_LEGS})
    try:
        with transaction.atomic():
            tournament = Tournament.objects.create(
                slug=slug,
                name=name,
                kind=Tournament.Kind.SEASON,
                ruleset=(ruleset or Ruleset()).as_dict(),
                time_control=(time_control or TimeControl()).as_dict(),
                legs=legs,
            )
            return Season.objects.create(
                tournament=tournament,
                opens_at=opens_at,
                deadline_at=deadline_at,
                bots_per_user=bots_per_user,
                about=about,
            )
    except IntegrityError:
        said = _("Another tournament has the address “%(slug)s”: choose another one.")
        raise ValidationError(said, code="slug", params={"slug": slug}) from None


def move_deadline(season: Season, deadline_at: datetime) -> None:
    """Give the season another deadline, which is to come; one that has passed is opened again.

    Raises:
        ValidationError: that moment has passed, or the season has started.
    """
    with transaction.atomic():
        held = _hold(season)
        if held.started_at is not None:
            raise ValidationError(_("The season has started: its deadline stays."), code="started")
        _refuse_times(held.opens_at, deadline_at)
        Season.objects.filter(pk=held.pk).update(deadline_at=deadline_at)
        registration.follow_anew(held)
    season.deadline_at = deadline_at


def start(season: Season, *, insist: bool = False) -> None:
    """Fix who plays and let the matches be queued (`pairing.fill`).

    Raises:
        ValidationError: its deadline has not passed, it has started, fewer than two bots could play, or bots that were
            submitted in time are still being checked; whoever insists does not wait for these.
    """
    now = timezone.now()
    with transaction.atomic():
        held = _hold(season)
        if held.started_at is not None:
            raise ValidationError(_("The season has started already."), code="started")
        if now < held.deadline_at:
            raise ValidationError(_("The season's deadline has not passed yet."), code="early")
        if registration.ready(held).count() < LEAST_BOTS:
            said = _("Fewer than two bots could play: move the deadline, or close the season.")
            raise ValidationError(said, code="bots")
        if not insist and (checks := registration.in_check(held).count()):
            said = ngettext(
                "%(count)s bot that was submitted in time is still being checked.",
                "%(count)s bots that were submitted in time are still being checked.",
                checks,
            )
            raise ValidationError(said, code="checks", params={"count": checks})
        Season.objects.filter(pk=held.pk).update(started_at=now)
    season.started_at = now


def start_due() -> int:
    """Start the seasons whose deadline has passed, as far as they can start; how many did."""
    passed = Season.objects.filter(
        started_at=None, tournament__closed_at=None, deadline_at__lte=timezone.now() - STILL_STORED
    )
    started = 0
    for season in passed.select_related("tournament").order_by("pk"):
        try:
            start(season)
        except ValidationError:
            continue  # its page says what it waits for
        started += 1
    return started


def close(season: Season, *, insist: bool = False) -> None:
    """End the season: its table stays as it is for good.

    Raises:
        ValidationError: it is closed, or matches have no result; whoever insists has them listed as holes and
            cancelled.
    """
    with transaction.atomic():
        held = _hold(season)
        unplayed = holes(held)
        if not insist and (unplayed or pairing.missing(held.tournament).exists()):
            said = _("%(count)s matches have no result yet. If you insist they are listed as holes and never played.")
            raise ValidationError(said, code="holes", params={"count": len(unplayed)})
        _of(held).filter(status__in=[Match.Status.QUEUED, Match.Status.RUNNING]).update(
            status=Match.Status.CANCELLED, lease_until=None
        )
        now = timezone.now()
        Tournament.objects.filter(pk=held.pk).update(closed_at=now)
        Season.objects.filter(pk=held.pk).update(holes=unplayed)
    season.tournament.closed_at, season.holes = now, unplayed


def holes(season: Season) -> list[list[int]]:
    """Matches between entered versions that have no result, as rows of both versions and the leg."""
    entered = set(season.tournament.entries.values_list("version_id", flat=True))
    unplayed = _of(season).filter(status__in=OPEN).order_by("version_a", "version_b", "leg")
    rows = unplayed.values_list("version_a_id", "version_b_id", "leg")
    return [list(row) for row in rows if row[0] in entered and row[1] in entered]


def _hold(season: Season) -> Season:
    """That season, read anew; nobody else changes it until the transaction ends."""
    tournaments.touch(season.tournament)
    held = Season.objects.select_related("tournament").get(pk=season.pk)
    if held.tournament.closed_at is not None:
        raise ValidationError(_("The season is closed."), code="closed")
    return held


def _of(season: Season) -> Any:
    return Match.objects.filter(tournament=season.tournament)


def _refuse_times(opens_at: datetime, deadline_at: datetime) -> None:
    if deadline_at <= timezone.now():
        raise ValidationError(_("The deadline has to be in the future."), code="deadline")
    if opens_at >= deadline_at:
        raise ValidationError(_("Registration has to open before the deadline."), code="opens")
