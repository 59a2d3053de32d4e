"""What organisers decide: each verb one transaction, with the act that tells of it."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.accounts.models import User
from league.bots.models import Bot, Version
from league.matches import annulment, disqualification, pausing
from league.matches.models import Match, Worker
from league.organisers.acts import record_act
from league.organisers.models import Act, Announcement, Flag
from league.tournaments.models import Disqualification, Tournament

ANNOUNCED = ("title", "text", "published_at", "tournament_id")


def disqualify(actor: User, tournament: Tournament, bot: Bot, reason: str) -> None:
    """Take the bot out of the tournament: its results count for nobody.

    Raises:
        ValidationError: another organiser did so first, or the tournament is closed; says so.
    """
    with transaction.atomic():
        disqualification.disqualify(tournament, bot, reason)
        record_act(actor, Act.Action.DISQUALIFY, tournament=tournament, bot=bot, reason=reason)


def reinstate(actor: User, disqualified: Disqualification) -> Version | None:
    """Let the bot play there again; the version that was entered, if any.

    Raises:
        ValidationError: another organiser did so first, or the tournament is closed; says so.
    """
    with transaction.atomic():
        version = disqualification.reinstate(disqualified)
        record_act(
            actor,
            Act.Action.REINSTATE,
            tournament=disqualified.tournament,
            bot=disqualified.bot,
            reason=disqualified.reason,
            details={"version": version.number if version else None},
        )
    return version


def annul(actor: User, match: Match, reason: str) -> None:
    """Let that match count for nobody.

    Raises:
        ValidationError: another organiser did so first, or its tournament is closed; says so.
    """
    with transaction.atomic():
        annulment.annul(match, reason)
        told = Match.objects.values("outcome", "points_a", "points_b").get(pk=match.pk)
        record_act(actor, Act.Action.ANNUL, tournament=match.tournament, match=match, reason=reason, details=told)


def restore(actor: User, match: Match) -> None:
    """Let an annulled match count again.

    Raises:
        ValidationError: another organiser did so first, or its tournament is closed; says so.
    """
    with transaction.atomic():
        annulment.restore(match)
        record_act(actor, Act.Action.RESTORE, tournament=match.tournament, match=match)


def pause_worker(actor: User, worker: Worker) -> None:
    """Let that worker take no more work until an organiser lets it go on.

    Raises:
        ValidationError: another organiser did so first, or it has ended.
    """
    with transaction.atomic():
        if not pausing.pause(worker, Worker.Pause.HAND, f"paused by {actor.username}"):
            raise ValidationError(_("It was paused already, or it has ended."), code="again")
        record_act(actor, Act.Action.PAUSE_WORKER, details={"worker": worker.name})


def resume_worker(actor: User, worker: Worker) -> None:
    """Let that worker take work again, whatever it was that paused it.

    Raises:
        ValidationError: it takes work already, or it has ended.
    """
    with transaction.atomic():
        if not pausing.resume(worker, by_hand=True):
            raise ValidationError(_("It was not paused, or it has ended."), code="again")
        record_act(actor, Act.Action.RESUME_WORKER, reason=worker.pause_reason, details={"worker": worker.name})


def publish(actor: User, announcement: Announcement) -> None:
    """Store a new announcement, which is shown from its time on."""
    with transaction.atomic():
        announcement.save()
        _note(actor, Act.Action.PUBLISH, announcement)


def edit(actor: User, announcement: Announcement) -> None:
    """Store what was changed of it.

    Raises:
        ValidationError: it was withdrawn meanwhile.
    """
    with transaction.atomic():
        shown = Announcement.objects.filter(pk=announcement.pk, withdrawn_at=None)
        if not shown.update(**{name: getattr(announcement, name) for name in ANNOUNCED}):
            raise _withdrawn()
        _note(actor, Act.Action.EDIT, announcement)


def withdraw(actor: User, announcement: Announcement) -> None:
    """Show it no more.

    Raises:
        ValidationError: it was withdrawn already.
    """
    with transaction.atomic():
        shown = Announcement.objects.filter(pk=announcement.pk, withdrawn_at=None)
        if not shown.update(withdrawn_at=timezone.now()):
            raise _withdrawn()
        _note(actor, Act.Action.WITHDRAW, announcement)


def look(actor: User, flag: Flag, note: str, seen: datetime | None) -> None:
    """Mark a flag as looked at, with what came of it; `seen` is when it was so last, as the organiser was shown.

    Raises:
        ValidationError: another organiser has looked at it meanwhile.
    """
    with transaction.atomic():
        unchanged = Flag.objects.filter(pk=flag.pk, looked_at=seen)
        if not unchanged.update(looked_at=timezone.now(), looked_by=actor.username, note=note):
            raise ValidationError(_("Somebody else has looked at it meanwhile: read the note."), code="again")
        details = {"flag": flag.pk, "kind": flag.kind, "versions": list(flag.versions.values_list("pk", flat=True))}
        record_act(actor, Act.Action.LOOK, tournament=flag.tournament, reason=note, details=details)


def _withdrawn() -> ValidationError:
    return ValidationError(_("This announcement was withdrawn."), code="withdrawn")


def _note(actor: User, action: Act.Action, announcement: Announcement) -> None:
    told = {"announcement": announcement.pk, "title": announcement.title, "text": announcement.text}
    record_act(actor, action, tournament=announcement.tournament, details=told)
