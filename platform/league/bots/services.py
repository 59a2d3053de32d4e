"""Uploads and the checks of them: each verb one transaction, each status moved by one conditional update."""

from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from league import doorbell, texts
from league.accounts.models import User
from league.bots import uploads
from league.bots.models import Bot, Report, Source, Version

TRACEBACK_CHARS = 8_000
OUTPUT_CHARS = 64 * 1024 + 200  # the first and last 32 KiB of what a bot printed
LONGEST_PAUSE = timedelta(minutes=1)


class Finding(NamedTuple):
    """What a check says to a bot's author."""

    reason: str
    """What failed, where, and what to do; empty if nothing did."""
    traceback: str = ""
    output: str = ""


def submit(owner: User, bot: Bot | str, filename: str, content: bytes, message: str = "") -> Version:
    """Store an upload as the next version of that bot, which is made where it is a new name, and have it checked.

    A version of the bot that is still being checked gives way to it; the active one plays on.

    Raises:
        ValidationError: the upload, the name or the quota is refused; says what to do.
    """
    uploads.validate(filename, content)
    message = uploads.validate_message(message)
    with transaction.atomic():
        owned = _own(owner, bot)
        _refuse_a_repeat(owned, digest := sha256(content).hexdigest())
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
    return max(0, allowed - owner.bots.count())


def claim_check() -> Version | None:
    """The version that has waited longest for its check, held by the caller; None where none waits."""
    now = timezone.now()
    waiting = Version.objects.filter(_free(now)).order_by("id")
    for pk, attempt in waiting.values_list("pk", "attempt")[:16]:
        held = Version.objects.filter(_free(now), pk=pk, attempt=attempt).update(
            attempt=attempt + 1, lease_until=now + settings.LEASE
        )
        if held:
            version = Version.objects.select_related("bot__owner", "source").get(pk=pk)
            version.attempt = attempt + 1
            return version
    return None


def finish_check(version: Version, finding: Finding, *, passed: bool) -> bool:
    """Make the version active or rejected; False where the caller holds it no more.

    The bot's active version gives way to one that passed, and stays where it did not.
    """
    status = Version.Status.ACTIVE if passed else Version.Status.REJECTED
    with transaction.atomic():
        Bot.objects.select_for_update().get(pk=version.bot_id)
        if not _held(version).exists():
            return False
        if passed:
            version.bot.versions.filter(status=Version.Status.ACTIVE).update(status=Version.Status.SUPERSEDED)
        done = _held(version).update(status=status, lease_until=None, not_before=None, checked_at=timezone.now())
        if not done:
            transaction.set_rollback(True)
            return False
        _report(version, finding)
    version.status = status
    return True


def fail_check(version: Version, fault: str) -> bool:
    """Give back a check that the platform could not do; it is done again, and is nobody's failure."""
    pause = min(settings.RETRY_AFTER * 2 ** min(version.attempt, 10), LONGEST_PAUSE)
    with transaction.atomic():
        given_back = _held(version).update(lease_until=None, not_before=timezone.now() + pause)
        if given_back:
            reason = f"The platform could not finish the check and does it again by itself: {texts.line(fault, 300)}"
            _report(version, Finding(reason))
    return bool(given_back)


def release_check(version: Version) -> bool:
    """Give back a check whose worker was told to stop; it is done again at once."""
    return bool(_held(version).update(lease_until=None))


def sweep() -> int:
    """Ring for versions that wait for a check, or whose check was lost with its worker; how many those are."""
    waiting = Version.objects.filter(_free(timezone.now())).count()
    doorbell.top_up(doorbell.CHECK, waiting)
    return waiting


def _free(now: datetime) -> Q:
    unheld = Q(lease_until=None) | Q(lease_until__lt=now)
    due = Q(not_before=None) | Q(not_before__lte=now)
    return Q(status=Version.Status.CHECKING) & unheld & due


def _held(version: Version) -> QuerySet[Version]:
    return Version.objects.filter(
        pk=version.pk, status=Version.Status.CHECKING, attempt=version.attempt, lease_until__isnull=False
    )


def _own(owner: User, bot: Bot | str) -> Bot:
    """That bot of the owner, locked; made where it is a new name."""
    if isinstance(bot, Bot):
        owned = Bot.objects.select_for_update().get(pk=bot.pk)
        if owned.owner_id != owner.pk:
            raise ValidationError("%(bot)s is not your bot.", code="owner", params={"bot": owned.name})
        return owned
    name = uploads.bot_name(bot)
    User.objects.select_for_update().get(pk=owner.pk)  # a user's new names are looked at one after the other
    found = Bot.objects.select_for_update().filter(name__iexact=name).first()
    if found is None:
        return _make(owner, name)
    if found.owner_id != owner.pk:
        raise ValidationError("Another user has a bot named %(bot)s: choose another name.", code="name",
                              params={"bot": found.name})  # fmt: skip
    return found


def _make(owner: User, name: str) -> Bot:
    if not bots_left(owner):
        raise ValidationError(
            "You have %(count)s bots, as many as one user may have: upload a new version of one of them.",
            code="quota",
            params={"count": owner.bots.count()},
        )
    try:
        with transaction.atomic():
            return Bot.objects.create(owner=owner, name=name)
    except IntegrityError:
        raise ValidationError("There is a bot named %(bot)s already.", code="name", params={"bot": name}) from None


def _refuse_a_repeat(bot: Bot, digest: str) -> None:
    same = bot.versions.filter(sha256=digest, status__in=[Version.Status.CHECKING, Version.Status.ACTIVE]).first()
    if same is not None:
        raise ValidationError(
            "Version %(number)s, which is %(status)s, is this very file.",
            code="repeat",
            params={"number": same.number, "status": same.get_status_display().lower()},
        )


def _report(version: Version, finding: Finding) -> None:
    Report.objects.update_or_create(
        version=version,
        defaults={
            "reason": texts.storable(finding.reason, 2_000),
            "traceback": texts.storable(finding.traceback, TRACEBACK_CHARS),
            "output": texts.storable(finding.output, OUTPUT_CHARS),
        },
    )
