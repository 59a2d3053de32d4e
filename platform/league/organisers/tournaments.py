"""Seasons and ladders, as organisers run them: each verb one transaction, with the act that tells of it."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction

from league.accounts.models import User
from league.bots.models import Bot
from league.matches import ladders, seasons
from league.organisers.acts import record_act
from league.organisers.models import Act
from league.tournaments import registration
from league.tournaments.models import Season, Tournament


def announce_season(actor: User, *, house: bool = False, **what: Any) -> Season:
    """A new season (`seasons.announce`); with `house` the house bots play in it, where registration is open already.

    Raises:
        ValidationError: it can't be; says why.
    """
    with transaction.atomic():
        season = seasons.announce(**what)
        record_act(actor, Act.Action.CREATE_SEASON, tournament=season.tournament, details=_times(season))
    if house:
        register_house_bots(season)
    return season


def register_house_bots(season: Season) -> int:
    """Register those house bots that may be; how many those were."""
    registered = 0
    for bot in Bot.objects.kept().filter(owner__username=settings.HOUSE_USER).order_by("pk"):
        try:
            registration.register(season, bot)
        except ValidationError:
            continue
        registered += 1
    return registered


def move_deadline(actor: User, season: Season, deadline_at: datetime) -> None:
    """Give the season another deadline.

    Raises:
        ValidationError: it can't be moved so; says why.
    """
    before = season.deadline_at
    with transaction.atomic():
        seasons.move_deadline(season, deadline_at)
        told = {**_times(season), "before": before.isoformat()}
        record_act(actor, Act.Action.CHANGE_SEASON, tournament=season.tournament, details=told)


def start_season(actor: User, season: Season, *, insist: bool) -> None:
    """Start the season whose deadline has passed, without waiting for checks where the organiser insists.

    Raises:
        ValidationError: it can't start; says why.
    """
    with transaction.atomic():
        seasons.start(season, insist=insist)
        record_act(actor, Act.Action.START_SEASON, tournament=season.tournament, details={"insisted": insist})


def close_season(actor: User, season: Season, *, insist: bool) -> None:
    """End the season for good, with holes where the organiser insists.

    Raises:
        ValidationError: it can't be closed; says why.
    """
    with transaction.atomic():
        seasons.close(season, insist=insist)
        record_act(actor, Act.Action.CLOSE_SEASON, tournament=season.tournament, details={"holes": len(season.holes)})


def open_ladder(actor: User, **what: Any) -> Tournament:
    """A new ladder (`ladders.open_ladder`).

    Raises:
        ValidationError: it can't be; says why.
    """
    with transaction.atomic():
        ladder = ladders.open_ladder(**what)
        record_act(actor, Act.Action.OPEN_LADDER, tournament=ladder, details={"ruleset": ladder.ruleset})
    return ladder


def close_ladder(actor: User, ladder: Tournament) -> None:
    """End a ladder for good.

    Raises:
        ValidationError: it can't be closed; says why.
    """
    with transaction.atomic():
        ladders.close_ladder(ladder)
        record_act(actor, Act.Action.CLOSE_LADDER, tournament=ladder)


def _times(season: Season) -> dict[str, str]:
    return {"opens_at": season.opens_at.isoformat(), "deadline_at": season.deadline_at.isoformat()}
