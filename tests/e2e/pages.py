"""Every page of the site, as the browser tests visit it: one line each, in each state that looks different."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Page(NamedTuple):
    name: str
    view: str
    """Name of its URL."""
    of: Mapping[str, str | int] = {}
    """The arguments of its URL: names of what the scene has (`tests.e2e.scene`), or numbers."""
    query: str = ""
    """What follows the question mark."""
    who: str = "visitor"
    """The visitor, the owner, another author, or staff."""
    status: int = 200
    press: str = ""
    """The label of what is pressed once the page is there."""
    alike: bool = False
    """It has the markup of another one, with other data."""


PAGES = (
    Page("home", "pages:home"),
    Page("home, signed in", "pages:home", who="owner"),
    Page("leaderboard", "standings:leaderboard"),
    Page("leaderboard, last page", "standings:leaderboard", query="page=2", alike=True),
    Page("leaderboard, sorted and searched", "standings:leaderboard", query="sort=-for&q=a", alike=True),
    Page("leaderboard, nothing found", "standings:leaderboard", query="q=nobody+is+called+so"),
    Page("leaderboard, closed season", "standings:table", {"slug": "season_closed"}),
    Page("seasons", "pages:seasons"),
    Page("season, registration", "pages:season", {"slug": "season_open"}),
    Page("season, registration, an author", "pages:season", {"slug": "season_open"}, who="owner"),
    Page("season frozen", "pages:season", {"slug": "season_frozen"}),
    Page("season closed", "pages:season", {"slug": "season_closed"}),
    Page("organise, tournaments", "organisers:tournaments", who="staff"),
    Page("organise, a season frozen", "organisers:season", {"slug": "season_frozen"}, who="staff"),
    Page("organise, announce a season", "organisers:new_season", who="staff"),
    Page("close the account", "pages:close_account", who="owner"),
    Page("compare", "standings:compare", {"slug": "ladder"}, "a=Rival&b=Workshop"),
    Page("matches", "matches:list"),
    Page("matches, filtered", "matches:list", query="author=ada&outcome=lost&fault=any", alike=True),
    Page("matches, none like that", "matches:list", query="fault=protocol&outcome=drawn"),
    Page("matches, unknown bot", "matches:list", query="bot=bishop", status=404),
    Page("match completed", "matches:match", {"pk": "completed_match"}),
    Page("match completed, its owner", "matches:match", {"pk": "completed_match"}, who="owner"),
    Page("match drawn", "matches:match", {"pk": "drawn_match"}, alike=True),
    Page("match forfeited", "matches:match", {"pk": "hostile_match"}),
    Page("match forfeited, staff", "matches:match", {"pk": "hostile_match"}, who="staff"),
    Page("match forfeited at load", "matches:match", {"pk": "unbegun_match"}),
    Page("match failed", "matches:match", {"pk": "hostile_failed"}),
    Page("match cancelled", "matches:match", {"pk": "cancelled_match"}),
    Page("match queued", "matches:match", {"pk": "queued_match"}),
    Page("match running", "matches:match", {"pk": "running_match"}),
    Page("replay, the start", "matches:game", {"pk": "completed_match", "number": 1}),
    Page("replay, inside", "matches:game", {"pk": "completed_match", "number": 2}, "move=33", alike=True),
    Page("replay, as A", "matches:game", {"pk": "completed_match", "number": 2}, "move=44&see=A", alike=True),
    Page("replay, as B", "matches:game", {"pk": "completed_match", "number": 12}, "move=20&see=B", alike=True),
    Page("replay, the fault", "matches:game", {"pk": "hostile_match", "number": 1}, "move=18"),
    Page("replay, its owner", "matches:game", {"pk": "completed_match", "number": 1}, "move=5", who="owner"),
    Page("replay, staff", "matches:game", {"pk": "hostile_watched", "number": 1}, "move=6", who="staff"),
    Page("bot", "pages:bot", {"pk": "bot"}),
    Page("bot, its owner", "pages:bot", {"pk": "bot"}, who="owner"),
    Page("bot retired", "pages:bot", {"pk": "retired_bot"}),
    Page("bot deleted", "pages:bot", {"pk": "deleted_bot"}),
    Page("bot that never passed", "pages:bot", {"pk": "broken_bot"}),
    Page("bot with a hostile name", "pages:bot", {"pk": "hostile_bot"}, alike=True),
    Page("author", "pages:author", {"pk": "owner"}),
    Page("author with a hostile name", "pages:author", {"pk": "hostile_user"}, alike=True),
    Page("my bots", "pages:mine", who="owner"),
    Page("my bots, none yet", "pages:mine", who="staff"),
    Page("manage", "pages:manage", {"pk": "bot"}, who="owner"),
    Page("manage a hostile one", "pages:manage", {"pk": "hostile_bot"}, who="staff"),
    Page("manage a retired one", "pages:manage", {"pk": "retired_bot"}, who="owner"),
    Page("delete", "pages:delete", {"pk": "bot"}, who="owner"),
    Page("scrimmages", "scrimmages:mine", query="q=r", who="owner"),
    Page("challenge", "scrimmages:against", {"pk": "rival_bot"}, who="owner"),
    Page("version active", "bots:version", {"pk": "active_version"}),
    Page("version active, its owner", "bots:version", {"pk": "active_version"}, who="owner"),
    Page("version superseded, its owner", "bots:version", {"pk": "superseded_version"}, who="owner"),
    Page("version rejected", "bots:version", {"pk": "rejected_version"}),
    Page("version rejected, its owner", "bots:version", {"pk": "rejected_version"}, who="owner"),
    Page("version rejected, hostile", "bots:version", {"pk": "hostile_rejected"}, who="staff", alike=True),
    Page("version being checked", "bots:version", {"pk": "checked_version"}, who="owner"),
    Page("version in the queue", "bots:version", {"pk": "waiting_version"}),
    Page("changes", "bots:changes", {"pk": "active_version"}, who="owner"),
    Page("submit, logged out", "bots:submit"),
    Page("submit", "bots:submit", who="owner"),
    Page("submit, the editor", "bots:submit", who="owner", press="Write it here"),
    Page("trial passed", "bots:trial", {"pk": "passed_trial"}, who="owner"),
    Page("trial failed", "bots:trial", {"pk": "failed_trial"}, who="owner"),
    Page("trial waiting", "bots:trial", {"pk": "waiting_trial"}, who="owner"),
    Page("queue", "pages:queue"),
    Page("queue, staff", "pages:queue", who="staff"),
    Page("status", "pages:status"),
    Page("rules", "pages:rules"),
    Page("guide", "pages:guide"),
    Page("log in", "accounts:login"),
    Page("sign up", "accounts:signup"),
    Page("API tokens", "accounts:tokens", who="owner"),
    Page("API", "api:docs"),
    Page("organise", "organisers:home", who="staff"),
    Page("log of acts", "organisers:log", who="staff", alike=True),
    Page("rejudging", "organisers:rejudging", {"pk": "rejudging"}, who="staff", alike=True),
    Page("not found", "bots:version", {"pk": 999_999}, status=404),
    Page("forbidden", "bots:changes", {"pk": "active_version"}, who="other", status=403),
    Page("wrong parameter", "matches:list", query="before=%3Cb%3Esoon", status=400),
)

NO_PAGES = {
    "accounts:logout": "a form posts to it",
    "accounts:revoke": "a form posts to it",
    "bots:ask": "a form posts to it",
    "bots:source": "a file",
    "matches:record_json": "a file",
    "matches:record_text": "a file",
    "matches:times": "a file",
    "standings:dump": "a file",
    "organisers:annul": "a form as those that submit",
    "organisers:announcements": "a list as the log of acts",
    "organisers:apply": "a form posts to it",
    "organisers:begin": "a form as those that submit",
    "organisers:disqualify": "a form as those that submit",
    "organisers:drop": "a form posts to it",
    "organisers:edit": "a form as those that submit",
    "organisers:flag": "figures and lists as those of a rejudging",
    "organisers:flags": "a list as the log of acts",
    "organisers:look_for": "a form posts to it",
    "organisers:published": "what the home page shows, several times",
    "organisers:reinstate": "a form posts to it",
    "organisers:rejudgings": "a list as the log of acts",
    "organisers:restore": "a form posts to it",
    "organisers:withdraw": "a form posts to it",
    "organisers:write": "a form as those that submit",
    "pages:feed": "for feed readers",
    "pages:tournament_feed": "for feed readers",
    "pages:bot_feed": "for feed readers",
    "scrimmages:cancel": "a form posts to it",
    "pages:retire": "a form posts to it",
    "pages:come_back": "a form posts to it",
    "pages:roll_back": "a form posts to it",
    **dict.fromkeys(
        (
            "api:openapi",
            "api:nowhere",
            "api:me",
            "api:my_bots",
            "api:bot_list",
            "api:one_bot",
            "api:version_list",
            "api:submit",
            "api:one_version",
            "api:tournament_list",
            "api:one_tournament",
            "api:leaderboard",
            "api:matrix",
            "api:match_list",
            "api:one_match",
            "api:replay",
            "api:logs",
            "api:queue",
        ),
        "an answer for programs",
    ),
}
"""URLs that show no page, or one whose markup is that of another."""
