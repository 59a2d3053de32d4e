"""The pages that are measured. A further page needs one line here, and a line in `probe.subjects` for what it shows."""

from collections.abc import Mapping
from typing import NamedTuple


class Page(NamedTuple):
    name: str
    view: str
    """Name of its URL; a page whose URL does not exist is left out, and named."""
    of: Mapping[str, str] = {}
    """The arguments of its URL, each the name of a subject (`probe.subjects`)."""
    query: str = ""
    """What follows the question mark; names of subjects in braces."""
    signed_in: bool = False
    """It is asked for by an author who owns bots."""
    fragment: bool = False
    """It is asked for by htmx, as a part of a page that is open."""


PAGES = (
    Page("home", "pages:home"),
    Page("home, signed in", "pages:home", signed_in=True),
    Page("leaderboard", "standings:leaderboard"),
    Page("leaderboard, signed in", "standings:leaderboard", signed_in=True),
    Page("leaderboard, last page", "standings:leaderboard", query="page={last_page}"),
    Page("leaderboard, sorted by name", "standings:leaderboard", query="sort=bot"),
    Page("leaderboard, sorted by points", "standings:leaderboard", query="sort=-for"),
    Page("leaderboard, searched", "standings:leaderboard", query="q={busiest_name}"),
    Page("leaderboard, refreshed", "standings:leaderboard", fragment=True),
    Page("leaderboard, sorted by rating", "standings:leaderboard", query="sort=-rating"),
    Page("compare", "standings:compare", {"slug": "ladder"}, "a={busiest_name}&b={quiet_name}"),
    Page("compare, signed in", "standings:compare", {"slug": "ladder"}, signed_in=True),
    Page("matches", "matches:list"),
    Page("matches, deep", "matches:list", query="before={deep_match}"),
    Page("matches of the busiest bot", "matches:list", query="bot={busiest_name}"),
    Page("matches of the busiest bot, deep", "matches:list", query="bot={busiest_name}&before={busiest_match}"),
    Page("matches of a bot with few", "matches:list", query="bot={quiet_name}"),
    Page("matches of an author", "matches:list", query="author={author_name}"),
    Page("matches lost by a bot", "matches:list", query="bot={busiest_name}&outcome=lost"),
    Page("matches drawn", "matches:list", query="outcome=drawn"),
    Page("matches drawn by a bot", "matches:list", query="bot={busiest_name}&outcome=drawn"),
    Page("matches with any fault", "matches:list", query="fault=any"),
    Page("matches with a rare fault", "matches:list", query="fault=memory"),
    Page("matches with no such fault", "matches:list", query="fault=protocol"),
    Page("matches the platform gave up", "matches:list", query="fault=platform"),
    Page("match", "matches:match", {"pk": "recorded_match"}),
    Page("match, its owner", "matches:match", {"pk": "own_match"}, signed_in=True),
    Page("match without a replay", "matches:match", {"pk": "bare_match"}),
    Page("match forfeited", "matches:match", {"pk": "forfeited_match"}),
    Page("match failed", "matches:match", {"pk": "failed_match"}),
    Page("match queued last", "matches:match", {"pk": "queued_match"}),
    Page("replay", "matches:game", {"pk": "recorded_match", "number": "game"}),
    Page("replay, half way, as B", "matches:game", {"pk": "recorded_match", "number": "game"}, "move=60&see=B"),
    Page("replay, its owner", "matches:game", {"pk": "own_match", "number": "game"}, signed_in=True),
    Page("bot, the busiest", "pages:bot", {"pk": "busiest_bot"}),
    Page("bot, its owner", "pages:bot", {"pk": "busiest_bot"}, signed_in=True),
    Page("bot with few matches", "pages:bot", {"pk": "quiet_bot"}),
    Page("author", "pages:author", {"pk": "author"}),
    Page("my bots", "pages:mine", signed_in=True),
    Page("version", "bots:version", {"pk": "own_version"}),
    Page("version, its owner", "bots:version", {"pk": "own_version"}, signed_in=True),
    Page("version rejected", "bots:version", {"pk": "rejected_version"}),
    Page("version being checked", "bots:version", {"pk": "checking_version"}),
    Page("submit", "bots:submit", signed_in=True),
    Page("queue", "pages:queue"),
    Page("queue, refreshed", "pages:queue", fragment=True),
    Page("status", "pages:status"),
    Page("rules", "pages:rules"),
    Page("guide", "pages:guide"),
    Page("log in", "accounts:login"),
    Page("sign up", "accounts:signup"),
)
