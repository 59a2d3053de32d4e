"""Matches that are played again as a set, beside the table: begun, compared, and then applied or dropped."""

import secrets
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena import standings
from league import doorbell
from league.accounts.models import User
from league.bots.models import Bot
from league.bots.uploads import figure
from league.matches.models import Match
from league.organisers.acts import record_act
from league.organisers.exchange import RESULT, exchange
from league.organisers.models import Act, Case, Rejudging
from league.tournaments import services as tournaments
from league.tournaments.models import Entry, Tournament

MOST = 20_000
"""Matches of one set: more would keep the page, and on SQLite all other writers, waiting for too long."""
BATCH = 500
COUNTED = ("version_a_id", "version_b_id", "outcome", "points_a", "points_b", "forfeits")
"""What a table is made of: the fields of `standings.Result`."""


class Progress(NamedTuple):
    played: int
    failed: int
    cancelled: int
    total: int

    @property
    def left(self) -> int:
        return self.total - self.played - self.failed - self.cancelled


def begin(
    actor: User, tournament: Tournament, reason: str, bot: Bot | None = None, match: Match | None = None
) -> Rejudging:
    """Have the tournament's played matches, or those of one bot, or one alone, played again beside the table.

    Matches of a bot whose source is gone are left out.

    Raises:
        ValidationError: there is none to play, or too many, or the tournament is closed; says so.
    """
    with transaction.atomic():
        tournaments.refuse_closed(tournament)
        doubted = list(_doubted(tournament, bot, match)[: MOST + 1])
        if not doubted:
            raise ValidationError(_("No match here can be played again: none has a result, or a source is gone."))
        if len(doubted) > MOST:
            said = _("These are more than %(most)s matches: choose those of one bot.")
            raise ValidationError(said % {"most": figure(MOST)})
        rejudging = Rejudging.objects.create(
            tournament=tournament, apart=_apart(tournament), bot=bot, match=match, reason=reason
        )
        again = Match.objects.bulk_create((_again(each, rejudging.apart) for each in doubted), batch_size=BATCH)
        Case.objects.bulk_create(
            (
                Case(rejudging=rejudging, original=original, again=copy, ended_at=original.finished_at)
                for original, copy in zip(doubted, again, strict=True)
                if original.finished_at
            ),
            batch_size=BATCH,
        )
        doorbell.top_up(doorbell.PLAY, len(again))
        _note(actor, Act.Action.REJUDGE, rejudging, matches=len(again))
    return rejudging


def progress(rejudging: Rejudging) -> Progress:
    """How far its matches are."""
    counts = dict(
        Match.objects.filter(tournament=rejudging.apart).order_by().values_list("status").annotate(Count("pk"))
    )
    status = Match.Status
    return Progress(
        counts.get(status.PLAYED, 0),
        counts.get(status.FAILED, 0),
        counts.get(status.CANCELLED, 0),
        sum(counts.values()),
    )


def changed(rejudging: Rejudging) -> QuerySet[Case]:
    """Those of its cases whose result is another one now, with both matches and their bots.

    Before it is applied: those that would be changed if it were at this moment.
    """
    cases = rejudging.cases.select_related("again", "original__version_a__bot", "original__version_b__bot").order_by(
        "pk"
    )
    if rejudging.status == Rejudging.Status.APPLIED:
        return cases.filter(verdict=Case.Verdict.CHANGED)
    return cases.filter(_standing() & Q(again__status=Match.Status.PLAYED)).exclude(_alike())


def apply(actor: User, rejudging: Rejudging) -> None:
    """Let each result that is another one change places with the one that it was to confirm.

    What was not played again, and what has got another result in the meantime, is left as it is and marked so.

    Raises:
        ValidationError: it was applied or dropped before, is still being played, or its tournament is closed; says so.
    """
    with transaction.atomic():
        tournaments.touch(rejudging.tournament, rejudging.apart)
        tournaments.refuse_closed(rejudging.tournament)
        if progress(rejudging).left:
            raise ValidationError(_("Some of its matches are still to be played."), code="unfinished")
        _end(rejudging, Rejudging.Status.APPLIED)
        Rejudging.objects.filter(pk=rejudging.pk).update(comparison=compare(rejudging))
        verdict, cases = Case.Verdict, rejudging.cases
        unplayed = ~Q(again__status=Match.Status.PLAYED)
        _mark(cases.filter(verdict="").filter(unplayed), verdict.UNPLAYED)
        _mark(cases.filter(verdict="").exclude(_standing()), verdict.MOVED)
        _mark(cases.filter(verdict="").filter(_alike()), verdict.SAME)
        for pk in list(cases.filter(verdict="").order_by("pk").values_list("pk", flat=True)):
            exchange(cases.select_related("original", "again").get(pk=pk))
        counts = dict(cases.order_by().values_list("verdict").annotate(Count("pk")))
        _note(actor, Act.Action.APPLY, rejudging, **counts)


def drop(actor: User, rejudging: Rejudging) -> None:
    """End it without a change; what is not played yet won't be.

    Raises:
        ValidationError: it was applied or dropped before; says so.
    """
    with transaction.atomic():
        tournaments.touch(rejudging.apart)
        _end(rejudging, Rejudging.Status.DROPPED)
        Match.objects.unfinished().filter(tournament=rejudging.apart).update(
            status=Match.Status.CANCELLED, lease_until=None
        )
        _note(actor, Act.Action.DROP, rejudging)


def compare_open() -> int:
    """Compare the tables of all open sets that are played and were not compared since; how many those were."""
    compared = 0
    for rejudging in Rejudging.objects.filter(status=Rejudging.Status.OPEN).select_related("tournament", "apart"):
        revisions = f"{rejudging.tournament.revision} {rejudging.apart.revision}"
        if rejudging.compared != revisions and not progress(rejudging).left:
            rows = compare(rejudging)
            Rejudging.objects.filter(pk=rejudging.pk).update(comparison=rows, compared=revisions)
            compared += 1
    return compared


def compare(rejudging: Rejudging) -> list[list[int | None]]:
    """The rows of the table that the set would change, by rank: version, rank and match points before and after."""
    pairs = changed(rejudging).values_list("original_id", *(f"again__{name}" for name in COUNTED))
    instead = {pk: standings.Result._make(result) for pk, *result in pairs}
    if not instead:
        return []
    entered = list(Entry.objects.filter(tournament=rejudging.tournament_id).values_list("version_id", flat=True))
    before = list(_results(rejudging.tournament))
    after = [instead.get(pk, result) for pk, result in before]
    then = {row.entrant: row for row in standings.table(after, entered)}
    now = standings.table((result for _, result in before), entered)
    return [
        [row.entrant, row.rank, row.match_points, then[row.entrant].rank, then[row.entrant].match_points]
        for row in now
        if (row.rank, row.match_points) != (then[row.entrant].rank, then[row.entrant].match_points)
    ]


def _results(tournament: Tournament) -> Iterator[tuple[int, standings.Result]]:
    played = Match.objects.filter(tournament=tournament, status=Match.Status.PLAYED).order_by()
    for pk, *result in played.values_list("pk", *COUNTED).iterator(chunk_size=10_000):
        yield pk, standings.Result._make(result)


def _doubted(tournament: Tournament, bot: Bot | None, match: Match | None) -> QuerySet[Match]:
    played = Match.objects.filter(
        tournament=tournament,
        status=Match.Status.PLAYED,
        version_a__source__isnull=False,
        version_b__source__isnull=False,
    )
    if bot:
        played = played.filter(Q(version_a__bot=bot) | Q(version_b__bot=bot))
    if match:
        played = played.filter(pk=match.pk)
    return played.only("version_a_id", "version_b_id", "leg", "seed", "finished_at").order_by("pk")


def _apart(tournament: Tournament) -> Tournament:
    return Tournament.objects.create(
        slug=f"rejudging-{secrets.token_hex(8)}",
        name=gettext_noop("Rejudging"),
        kind=Tournament.Kind.REJUDGING,
        ruleset=tournament.ruleset,
        time_control=tournament.time_control,
        legs=tournament.legs,
    )


def _again(original: Match, apart: Tournament) -> Match:
    return Match(
        tournament=apart,
        version_a_id=original.version_a_id,
        version_b_id=original.version_b_id,
        leg=original.leg,
        seed=original.seed,
        ranked=False,
    )


def _standing() -> Q:
    """Cases whose original still has the result that was doubted."""
    return Q(original__status=Match.Status.PLAYED, original__finished_at=F("ended_at"))


def _alike() -> Q:
    return Q(**{f"original__{name}": F(f"again__{name}") for name in RESULT})


def _mark(cases: QuerySet[Case], verdict: Case.Verdict) -> None:
    Case.objects.filter(pk__in=cases.values("pk")).update(verdict=verdict)


def _end(rejudging: Rejudging, status: Rejudging.Status) -> None:
    now = timezone.now()
    opened = Rejudging.objects.filter(pk=rejudging.pk, status=Rejudging.Status.OPEN)
    if not opened.update(status=status, ended_at=now):
        raise ValidationError(_("This rejudging was applied or dropped already."), code="status")
    Tournament.objects.filter(pk=rejudging.apart_id).update(closed_at=now)


def _note(actor: User, action: Act.Action, rejudging: Rejudging, **details: Any) -> None:
    record_act(
        actor,
        action,
        tournament=rejudging.tournament,
        bot=rejudging.bot,
        match=rejudging.match,
        reason=rejudging.reason,
        details={"rejudging": rejudging.pk, **details},
    )
