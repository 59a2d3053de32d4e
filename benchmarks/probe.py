"""What the benchmark asks the site's own code: where the pages are, how many queries each makes, and a session.

`benchmarks.server` runs it in a process of its own, since Django has one database in the life of a process.
"""

import json
import sys
import time
from collections.abc import Mapping
from statistics import median
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.db import connection
from django.db.models import Count, QuerySet
from django.db.models.functions import Length
from django.test import Client
from django.test.utils import CaptureQueriesContext, setup_test_environment
from django.urls import NoReverseMatch, reverse

from benchmarks.pages import PAGES, Page
from league.accounts.models import User
from league.bots.models import Version
from league.matches.models import Match
from league.standings import services as standings
from league.standings import views as leaderboard
from league.standings.models import Standing
from league.tournaments import services as tournaments


def main() -> None:
    """Print it as JSON."""
    setup_test_environment()
    refresh_s = refresh()
    if connection.vendor == "postgresql":  # it does so by itself within a minute
        connection.cursor().execute("ANALYZE")
    who = author()
    found = subjects(who)
    visitor, owner = Client(), Client()
    owner.force_login(who)
    pages = []
    for page in PAGES:
        path = address(page, found)
        queries = count_queries(owner if page.signed_in else visitor, page, path) if path else None
        pages.append({"name": page.name, "path": path, "queries": queries})
    name = settings.SESSION_COOKIE_NAME
    session = {name: owner.cookies[name].value}
    json.dump({"pages": pages, "session": session, "refresh_s": refresh_s}, sys.stdout)


def refresh() -> float:
    """Seconds that the standings take; the median of three, as a worker computes them again and again."""
    ladder = tournaments.ladder()
    took_s = []
    for _ in range(3):
        began = time.perf_counter()
        if not standings.refresh(ladder):
            sys.exit(f"the table can't be computed: {ladder.table.error}")
        took_s.append(time.perf_counter() - began)
    return median(took_s)


def address(page: Page, found: Mapping[str, Any]) -> str | None:
    """The page's path and query; none where the site has no such page, or the database nothing to show on it."""
    quoted = {name: quote(str(value)) for name, value in found.items()}
    try:
        path = reverse(page.view, kwargs={name: found[subject] for name, subject in page.of.items()})
        return f"{path}?{page.query.format(**quoted)}" if page.query else path
    except (NoReverseMatch, KeyError):
        return None


def count_queries(client: Client, page: Page, path: str) -> int:
    """Queries of the second visit: the first may fill what a process keeps."""
    headers = {"HX-Request": "true"} if page.fragment else {}
    client.get(path, headers=headers)
    with CaptureQueriesContext(connection) as captured:
        client.get(path, headers=headers)
    return len(captured)


def author() -> User:
    """Who has most bots."""
    return User.objects.annotate(count=Count("bots")).order_by("-count", "pk")[0]


def subjects(who: User) -> dict[str, Any]:
    """What the pages show, by name; what the database lacks is left out."""
    played = Match.objects.filter(status=Match.Status.PLAYED).order_by("-finished_at", "-pk")
    completed = played.filter(termination=Match.Termination.COMPLETED)
    recorded = completed.filter(replay__isnull=False)
    table = Standing.objects.filter(rank__isnull=False)
    busiest = table.filter(version__bot__owner=who).order_by("-played")[0].version
    quiet = table.order_by("played", "pk")[0].version
    found: dict[str, Any] = {
        "ladder": tournaments.ladder().slug,
        "last_page": -(-table.count() // leaderboard.PAGE),
        "author": who.pk,
        "author_name": who.username,
        "busiest_bot": busiest.bot_id,
        "busiest_name": busiest.bot.name,
        "quiet_bot": quiet.bot_id,
        "quiet_name": quiet.bot.name,
        "deep_match": _half_way(played),
        "busiest_match": _half_way(played.filter(version_a=busiest) | played.filter(version_b=busiest)),
        "recorded_match": _first(recorded.order_by(Length("replay__data").desc(), "pk")),
        "own_match": _first(recorded.filter(version_a__bot__owner=who) | recorded.filter(version_b__bot__owner=who)),
        "bare_match": _first(completed.filter(replay=None)),
        "forfeited_match": _first(played.exclude(forfeits="")),
        "failed_match": _first(Match.objects.filter(status=Match.Status.FAILED)),
        "queued_match": _first(Match.objects.filter(status=Match.Status.QUEUED).order_by("-pk")),
        "game": 1,
        "own_version": busiest.pk,
        "rejected_version": _first(Version.objects.filter(status=Version.Status.REJECTED)),
        "checking_version": _first(Version.objects.filter(status=Version.Status.CHECKING).order_by("-pk")),
    }
    return {name: value for name, value in found.items() if value is not None}


def _first(rows: QuerySet[Any]) -> int | None:
    found: int | None = rows.values_list("pk", flat=True).first()
    return found


def _half_way(rows: QuerySet[Any]) -> int | None:
    return _first(rows[rows.count() // 2 :][:1])
