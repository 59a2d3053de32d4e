"""What is new, as Atom feeds: of everything, of a tournament, of a bot.

A feed is in no language: it says names and figures alone.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from heapq import merge
from itertools import islice
from typing import Any, NamedTuple, cast

from django.contrib.syndication.views import Feed
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import conditional_page, require_safe

from league.bots.models import Bot
from league.matches import listing
from league.matches.models import Match
from league.organisers import announcing
from league.organisers.models import Announcement
from league.tournaments.models import Tournament

ENTRIES = 40
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""When a feed without entries was changed last."""


class Entry(NamedTuple):
    title: str
    text: str
    link: str
    at: datetime
    kind: str


class Atom(Atom1Feed):
    def latest_post_date(self) -> datetime:
        """The same for the same entries, so that a feed that stays the same is not sent again."""
        return max((entry["pubdate"] for entry in self.items), default=LONG_AGO)


class News(Feed):  # type: ignore[type-arg]
    """Of everything."""

    feed_type = Atom
    language = "en"
    author_name = "Candidate Arena"

    def title(self, of: Any) -> str:
        return "Candidate Arena"

    def link(self, of: Any) -> str:
        return reverse("pages:home")

    def feed_url(self, of: Any) -> str:
        return reverse("pages:feed")

    def matches(self, of: Any) -> QuerySet[Match]:
        """Ranked matches that it tells of, the latest first."""
        return listing.finished()

    def announcements(self, of: Any) -> QuerySet[Announcement]:
        """What organisers announced that it tells of, the latest first."""
        return announcing.published()

    def items(self, of: Any) -> list[Entry]:
        sources = _results(self.matches(of)), _announced(self.announcements(of))
        return list(islice(merge(*sources, key=lambda entry: entry.at, reverse=True), ENTRIES))

    def item_title(self, item: Entry) -> str:
        return item.title

    def item_description(self, item: Entry) -> str:
        return item.text

    def item_link(self, item: Entry) -> str:
        return item.link

    def item_pubdate(self, item: Entry) -> datetime:
        return item.at

    def item_updateddate(self, item: Entry) -> datetime:
        return item.at

    def item_categories(self, item: Entry) -> tuple[str]:
        return (item.kind,)


class TournamentNews(News):
    def get_object(self, request: HttpRequest, slug: str) -> Tournament:
        return get_object_or_404(Tournament.objects.ranked(), slug=slug)

    def title(self, of: Tournament) -> str:
        return f"{of.name} · Candidate Arena"

    def link(self, of: Tournament) -> str:
        return reverse("standings:table", args=(of.slug,))

    def feed_url(self, of: Tournament) -> str:
        return reverse("pages:tournament_feed", args=(of.slug,))

    def matches(self, of: Tournament) -> QuerySet[Match]:
        return listing.of_tournament(listing.finished(), of)

    def announcements(self, of: Tournament) -> QuerySet[Announcement]:
        return super().announcements(of).filter(tournament=of)


class BotNews(News):
    def get_object(self, request: HttpRequest, pk: int) -> Bot:
        return get_object_or_404(Bot, pk=pk)

    def title(self, of: Bot) -> str:
        return f"{of.name} · Candidate Arena"

    def link(self, of: Bot) -> str:
        return reverse("pages:bot", args=(of.pk,))

    def feed_url(self, of: Bot) -> str:
        return reverse("pages:bot_feed", args=(of.pk,))

    def matches(self, of: Bot) -> QuerySet[Match]:
        return listing.of_versions(listing.finished(), list(of.versions.values_list("pk", flat=True)))

    def announcements(self, of: Bot) -> QuerySet[Announcement]:
        return Announcement.objects.none()


news = require_safe(conditional_page(News()))
tournament_news = require_safe(conditional_page(TournamentNews()))
bot_news = require_safe(conditional_page(BotNews()))


def _results(matches: QuerySet[Match]) -> Iterator[Entry]:
    """The latest of those that were played, the latest first."""
    played = matches.filter(status=Match.Status.PLAYED).select_related("tournament")[:ENTRIES]
    for match in played:
        a, b = match.version_a, match.version_b
        score = f"{match.points_a} : {match.points_b}"
        yield Entry(
            title=f"{a.bot.name} – {b.bot.name} {score}",
            text=f"{match.tournament.name}: {a} by {a.bot.owner.username}, {b} by {b.bot.owner.username}: "
            f"{score}{_forfeited(match)}",
            link=reverse("matches:match", args=(match.pk,)),
            at=cast(datetime, match.finished_at),
            kind="result",
        )


def _announced(announcements: QuerySet[Announcement]) -> Iterator[Entry]:
    """The latest of them, the latest first."""
    for each in announcements[:ENTRIES]:
        link = f"{reverse('organisers:published')}#announcement-{each.pk}"
        yield Entry(each.title, each.text, link, each.published_at, "announcement")


def _forfeited(match: Match) -> str:
    return f", {' and '.join(match.forfeits)} forfeited: {match.termination}" if match.forfeits else ""
