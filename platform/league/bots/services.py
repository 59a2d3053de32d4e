"""Uploads and the checks of them: each verb one transaction, each status moved by one conditional update."""

from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league import doorbell
from league.accounts.models import User
from league.bots import findings, holding, trials, uploads
from league.bots.findings import Finding
from league.bots.models import Bot, Report, Source, Trial, Version

CHECKS_MEASURED = 20


class Wait(NamedTuple):
    """What comes before a check's verdict."""

    ahead: int
    """Versions whose check comes first."""
    wait_s: int | None
    """About how long it may take; None before the first check of all."""


def submit(owner: User, bot: Bot | str, filename: str, content: bytes, message: str = "") -> Version:
    """Store an upload as the next version of that bot, which is made where it is a new name, and have it checked.

    A version of the bot that is still being checked gives way to it; the active one plays on. The bot's newest
    version is returned as it is where it is this very file, so that a form sent twice makes one version.

    Raises:
        ValidationError: the upload, the name or the quota is refused; says what to do.
    """
    uploads.validate(filename, content)
    message = uploads.validate_message(message)
    with transaction.atomic():
        owned = _own(owner, bot)
        if repeated := _repeated(owned, digest := sha256(content).hexdigest()):
            return repeated
        owned.versions.filter(status=Version.Status.CHECKING).update(status=Version.Status.SUPERSEDED)
        number = (owned.versions.aggregate(last=Max("number"))["last"] or 0) + 1
        version = Version.objects.create(
            bot=owned,
            number=number,
            filename=uploads.shown(filename),
            size=len(content),
            sha256=digest,
            message=message,
        )
        Source.objects.create(version=version, content=content)
        doorbell.ring(doorbell.CHECK)
    return version


def bots_left(owner: User) -> int:
    """How many more bots that user may make."""
    allowed = settings.BOTS_PER_USER if owner.bots_allowed is None else owner.bots_allowed
    return max(0, allowed - owner.bots.kept().count())


def rename(bot: Bot, name: str) -> None:
    """Give the bot another name, under which its matches are shown too; the old one is free again.

    Raises:
        ValidationError: it can't be a name, or another bot has it.
    """
    name = uploads.bot_name(name)
    if Bot.objects.filter(name__iexact=name).exclude(pk=bot.pk).exists():
        raise _name_taken(name)
    try:
        with transaction.atomic():
            Bot.objects.filter(pk=bot.pk, deleted_at=None).update(name=name)
    except IntegrityError:
        raise _name_taken(name) from None
    bot.name = name


def may_return(version: Version) -> bool:
    """Whether that version may be rolled back to: it passed its check once, and another took its place."""
    passed = version.status == Version.Status.SUPERSEDED and version.checked_at is not None
    return passed and version.bot.deleted_at is None


def failed_since(newest_first: Iterable[Version]) -> Version | None:
    """The last version that failed its check, of all that a bot has; None where a newer one has passed."""
    for version in newest_first:
        if version.status == Version.Status.REJECTED:
            return version
        if version.status != Version.Status.CHECKING and version.checked_at is not None:
            return None
    return None


def claim_check() -> Version | None:
    """The version that has waited longest for its check, held by the caller; None where none waits."""
    return holding.claim(Version.objects.select_related("bot"))


def seconds_a_check() -> float | None:
    """What the last checks took on average; None before the first."""
    done = Version.objects.filter(checked_at__isnull=False, started_at__isnull=False).order_by("-pk")
    pairs = done.values_list("started_at", "checked_at")[:CHECKS_MEASURED]
    times = [checked - started for started, checked in pairs if started and checked]
    return sum(times, timedelta()).total_seconds() / len(times) if times else None


def wait(version: Version) -> Wait:
    """How that version stands in the queue of checks."""
    ahead = Version.objects.filter(status=Version.Status.CHECKING, pk__lt=version.pk).count()
    seconds = seconds_a_check()
    return Wait(ahead, None if seconds is None else max(1, round(seconds * (ahead + 1))))


def finish_check(version: Version, finding: Finding, *, passed: bool) -> bool:
    """Make the version active or rejected; False where the caller holds it no more.

    The bot's active version gives way to one that passed, and stays where it did not.
    """
    status = Version.Status.ACTIVE if passed else Version.Status.REJECTED
    with transaction.atomic():
        Bot.objects.select_for_update().get(pk=version.bot_id)
        if not holding.held(version).exists():
            return False
        if passed:
            version.bot.versions.filter(status=Version.Status.ACTIVE).update(status=Version.Status.SUPERSEDED)
        done = holding.held(version).update(status=status, lease_until=None, not_before=None, checked_at=timezone.now())
        if not done:
            transaction.set_rollback(True)
            return False
        _report(version, finding)
    version.status = status
    return True


def fail_check(version: Version, fault: str) -> bool:
    """Give back a check that the platform could not do; it is done again, and is nobody's failure."""
    with transaction.atomic():
        given_back = holding.postpone(version)
        if given_back:
            _report(version, findings.retried(fault))
    return given_back


def sweep() -> int:
    """Ring for what waits for a check, or whose check was lost with its worker; how many those are."""
    trials.clear()
    now = timezone.now()
    waiting = sum(checked.objects.filter(holding.free(now)).count() for checked in (Version, Trial))
    doorbell.top_up(doorbell.CHECK, waiting)
    return waiting


def _own(owner: User, bot: Bot | str) -> Bot:
    """That bot of the owner, locked; made where it is a new name."""
    if isinstance(bot, Bot):
        owned = Bot.objects.select_for_update().get(pk=bot.pk)
        if owned.owner_id != owner.pk:
            raise ValidationError(_("%(bot)s is not your bot."), code="owner", params={"bot": owned.name})
        return _present(owned)
    name = uploads.bot_name(bot)
    User.objects.select_for_update().get(pk=owner.pk)  # a user's new names are looked at one after the other
    found = Bot.objects.select_for_update().filter(name__iexact=name).first()
    if found is None:
        return _make(owner, name)
    if found.owner_id != owner.pk:
        raise ValidationError(_("Another user has a bot named %(bot)s: choose another name."), code="name",
                              params={"bot": found.name})  # fmt: skip
    return _present(found)


def _present(bot: Bot) -> Bot:
    """That bot, if it may have a new version."""
    if bot.deleted_at:
        raise ValidationError(
            _("%(bot)s was deleted, and its matches keep the name: choose another name."),
            code="name",
            params={"bot": bot.name},
        )
    if bot.retired_at:
        raise ValidationError(
            _("%(bot)s is retired: let it come back before you submit a new version of it."),
            code="name",
            params={"bot": bot.name},
        )
    return bot


def _make(owner: User, name: str) -> Bot:
    if not bots_left(owner):
        raise ValidationError(
            _("You have %(count)s bots, as many as one user may have: upload a new version of one of them."),
            code="quota",
            params={"count": owner.bots.kept().count()},
        )
    try:
        with transaction.atomic():
            return Bot.objects.create(owner=owner, name=name)
    except IntegrityError:
        raise _name_taken(name) from None


def _name_taken(name: str) -> ValidationError:
    return ValidationError(_("There is a bot named %(bot)s already."), code="name", params={"bot": name})


def _repeated(bot: Bot, digest: str) -> Version | None:
    """The bot's newest version if it is that file and was not rejected; refused where it is the active one before."""
    newest = bot.versions.order_by("-number").first()
    for same in bot.versions.filter(sha256=digest, status__in=[Version.Status.CHECKING, Version.Status.ACTIVE]):
        if same == newest:
            return same
        raise ValidationError(
            _("Version %(number)s, which is %(status)s, is this very file."),
            code="repeat",
            params={"number": same.number, "status": same.get_status_display().lower()},
        )
    return None


def _report(version: Version, finding: Finding) -> None:
    Report.objects.update_or_create(version=version, defaults=findings.columns(finding))
