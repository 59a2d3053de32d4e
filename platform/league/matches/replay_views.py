"""The pages of a match's record: its games, move by move, and the record itself as a file."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena import notation
from arena.outcome import SEATS
from arena.replay import ENGINE, Record, ReplayError
from league import conditional
from league.bots import usage
from league.matches import at_home, printed, recorded, viewer, walls, words
from league.matches.access import readable_logs, visible
from league.matches.columns import columns
from league.matches.marks import marks
from league.matches.models import Match
from league.matches.times import kept_time_use
from league.matches.viewer import Frame
from league.parameters import one_of, whole_number

log = logging.getLogger(__name__)

YEAR_S = 365 * 24 * 3600
SPEEDS = (("0.25", "¼×"), ("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×"), ("8", "8×"))


@require_safe
def game(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A game after move `?move=`, as everybody or one seat (`?see=`) sees it."""
    match = _played(request, pk)
    if not 1 <= number <= len(match.games):
        raise Http404(_("This match has no such game."))
    view = one_of(request, "see", viewer.VIEWS)
    etag = conditional.tag(request, recorded.fingerprint(match))
    if known := conditional.unchanged(request, etag):
        return known
    try:
        record = recorded.read(match)
        frames = viewer.frames(record, number, view, kept_time_use(record, match.replay.sha256))
    except ReplayError as damaged:
        return _unreadable(request, match, damaged)
    move = whole_number(request, "move", 0, 0, len(frames) - 1)
    readable = readable_logs(match, request.user)
    if readable:
        frames = walls.beside(frames, number, filter(None, map(usage.usage, readable)))
    logs = {each.seat: printed.by_move(each, number, frames) for each in readable if each.output}
    context = {
        "match": match,
        "number": number,
        "view": view,
        "see": f"&see={view}" if view != "all" else "",
        "seen": f"?see={view}" if view != "all" else "",
        "frames": frames,
        "frame": frames[move],
        "walls": any(frame.wall for frame in frames),
        "sides": _sides(match, frames, move, {each.seat for each in readable if each.calls}),
        "marks": marks(frames),
        "film": {
            "columns": columns(frames),
            "rounds": [frame.number for frame in frames if frame.opens_round],
            "ranks": {rank: words.rank_name(rank) for rank in words.RANKS},
        },
        "printed": [(seat, texts.get(move, ""), len(texts)) for seat, texts in logs.items()],
        "logs": logs,
        "printing": {each for texts in logs.values() for each in texts},
        "speeds": SPEEDS,
        "commands": at_home.commands(match, record, record.ruleset, record.time_control),
        "names": recorded.fingerprint(match),
        **_targets(match, number, frames, move),
    }
    page = render(request, "matches/game.html", context)
    if readable or not match.ranked:
        patch_cache_control(page, private=True, no_store=True)
    elif etag:
        conditional.marked(page, etag)
    return page


@require_safe
def record_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The record as JSON, with the names of both bots."""
    match = _played(request, pk)
    return _file(request, match, f"match-{pk}.json", "application/json", partial(recorded.as_json, match))


@require_safe
def record_text(request: HttpRequest, pk: int) -> HttpResponse:
    """The record as text that people read, and programs read back (`arena.notation`)."""
    return _file(request, _played(request, pk), f"match-{pk}.txt", "text/plain; charset=utf-8", notation.write)


def _file(
    request: HttpRequest, match: Match, name: str, content_type: str, written: Callable[[Record], str]
) -> HttpResponse:
    """The record as a file. Pages name it by an address that changes with it, under which it may be kept for ever.

    By anybody, if all may see it. Under any other address it has to be asked for again.
    """
    fingerprint = recorded.fingerprint(match)
    etag = quote_etag(f"{match.replay.sha256[:32]}-{fingerprint}-{ENGINE}")
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        try:
            answer = HttpResponse(written(recorded.read(match)), content_type=content_type)
        except ReplayError as damaged:
            return _unreadable(request, match, damaged)
        answer["Content-Disposition"] = content_disposition_header(True, name) or ""
    answer["ETag"] = etag
    shared = {"public": True} if match.ranked else {"private": True}
    lasting = {"max_age": YEAR_S, "immutable": True} if request.GET.get("names") == fingerprint else {"no_cache": True}
    patch_cache_control(answer, **shared, **lasting)
    return answer


def _played(request: HttpRequest, pk: int) -> Match:
    related = "tournament", "version_a__bot__owner", "version_b__bot__owner", "replay"
    match = get_object_or_404(visible(Match.objects.select_related(*related), request.user), pk=pk)
    if getattr(match, "replay", None) is None:
        raise Http404(_("This match has no replay."))
    return match


def _unreadable(request: HttpRequest, match: Match, damaged: ReplayError) -> HttpResponse:
    log.error("the replay of match %s can't be shown: %s", match.pk, damaged)
    reason = _("The replay of this match can't be read: {error}").format(error=damaged)
    return render(request, "500.html", {"reason": reason}, status=500)


def _sides(match: Match, frames: list[Frame], move: int, timed: set[str]) -> list[dict[str, Any]]:
    """What lies before each player after that move, with the wall clocks of those seats that are `timed`."""
    frame = frames[move]
    taken = [each for each in reversed(frames[: move + 1]) if each.what == "take"]
    versions = match.version_a, match.version_b
    return [
        {
            "index": seat,
            "letter": SEATS[seat],
            "version": versions[seat],
            "hand": frame.hands[seat],
            "points": frame.scores[seat],
            "says": frame.says[seat],
            "thought": frame.thought[seat],
            "bank": frame.banks[seat],
            "timed": SEATS[seat] in timed,
            "wall": walls.latest(frames, move, seat),
            "fault": frame.fault if frame.seat == seat else "",
            "taken": [each for each in taken if each.holder == seat],
        }
        for seat in (0, 1)
    ]


def _targets(match: Match, number: int, frames: list[Frame], move: int) -> dict[str, Any]:
    """Where the buttons lead."""
    last = len(frames) - 1
    rounds = [frame.number for frame in frames if frame.opens_round]
    following = reverse("matches:game", args=(match.pk, number + 1)) if number < len(match.games) else ""
    return {
        "last": last,
        "back": max(0, move - 1),
        "next": min(last, move + 1),
        "round_back": max((at for at in rounds if at < move), default=0),
        "round_next": min((at for at in rounds if at > move), default=last),
        "next_game": following,
    }
