"""Two matches of a pair, one of them played again, whose results change places."""

from typing import Any

from league.matches.models import Log, Match, Replay
from league.organisers.models import Case

RESULT = ("outcome", "termination", "forfeits", "reason", "points_a", "points_b")
"""What makes a result another one."""
PLAYED = (*RESULT, "games", "games_done", "started_at", "finished_at")
RECORD = ("format", "codec", "sha256", "data")


def exchange(case: Case) -> None:
    """Result, replay and logs of the two matches change places; neither is lost."""
    original, again = case.original, case.again
    case.verdict, case.before, case.after = Case.Verdict.CHANGED, figures(original), figures(again)
    case.save(update_fields=["verdict", "before", "after"])
    for match, other in ((original, again), (again, original)):
        Match.objects.filter(pk=match.pk).update(**{name: getattr(other, name) for name in PLAYED})
    _exchange_replays(original, again)
    _exchange_logs(original, again)


def figures(match: Match) -> list[Any]:
    """The result as it is kept with a case: outcome, points of A and B, termination."""
    return [match.outcome, match.points_a, match.points_b, match.termination]


def _exchange_replays(original: Match, again: Match) -> None:
    kept = {each.match_id: each for each in Replay.objects.filter(match__in=[original, again])}
    Replay.objects.filter(match__in=[original, again]).delete()
    for match, other in ((original, again), (again, original)):
        if replay := kept.get(other.pk):
            Replay.objects.create(match=match, **{name: getattr(replay, name) for name in RECORD})


def _exchange_logs(original: Match, again: Match) -> None:
    logs = list(Log.objects.filter(match__in=[original, again]))
    Log.objects.filter(match__in=[original, again]).delete()
    for log in logs:
        log.pk, log.match = None, again if log.match_id == original.pk else original
    Log.objects.bulk_create(logs)
