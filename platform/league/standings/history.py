"""How ratings went. A point is kept when a rating says something new, so their number grows as matches multiply."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import OuterRef, Subquery

from arena.rating import Rating
from league.bots.models import Bot
from league.standings.models import RatingPoint
from league.tournaments.models import Entry, Tournament

MOVED = 0.5
"""Of its standard error: by how much a rating moves until a new point is kept."""


def append(tournament: Tournament, bots: Mapping[int, int], ratings: Iterable[Rating], at: datetime) -> None:
    """Keep a point of each of these ratings that says something new; `bots` has the bot of each version."""
    last = _last_points(tournament)
    RatingPoint.objects.bulk_create(
        (
            RatingPoint(
                tournament=tournament,
                bot_id=bots[rating.entrant],
                version_id=rating.entrant,
                at=at,
                elo=rating.elo,
                error=rating.error,
                matches=rating.matches,
            )
            for rating in ratings
            if _says_something_new(rating, last.get(bots[rating.entrant]))
        ),
        batch_size=500,
    )


def of_bot(tournament: Tournament, bot: Bot) -> list[RatingPoint]:
    """The points of all its versions, in the order in which they were kept."""
    return list(RatingPoint.objects.filter(tournament=tournament, bot=bot).order_by("pk"))


def _says_something_new(rating: Rating, last: RatingPoint | None) -> bool:
    """Whether another version plays, it has a tenth more matches, or the rating has moved."""
    if last is None or last.version_id != rating.entrant:
        return True
    return 10 * rating.matches >= 11 * last.matches or abs(rating.elo - last.elo) > MOVED * rating.error


def _last_points(tournament: Tournament) -> dict[int, RatingPoint]:
    """The last point of each bot that is entered, by the number of the bot; each is one look into the index."""
    of_bot = RatingPoint.objects.filter(tournament=OuterRef("tournament"), bot=OuterRef("bot")).order_by("-pk")
    last = Entry.objects.filter(tournament=tournament).values(last=Subquery(of_bot.values("pk")[:1]))
    return {point.bot_id: point for point in RatingPoint.objects.filter(pk__in=last)}
