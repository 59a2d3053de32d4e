"""Who I am, bots and their versions; an upload."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import File, Form, Query, Router, Status, UploadedFile
from ninja.decorators import decorate_view
from pydantic import Field

from league import throttle
from league.accounts.models import Token
from league.api import answers, cursor, services
from league.api.answers import (
    BotAnswer,
    BotPage,
    Me,
    MyBot,
    MyBots,
    ReportAnswer,
    TokenAnswer,
    UsageAnswer,
    VersionAnswer,
    VersionPage,
    Waiting,
)
from league.api.callers import OWN, PUBLIC, Caller, Request, demand, held, unknown_token
from league.api.parameters import LARGEST_ID, Name, Paged, PathNumber
from league.api.problems import Refused, answer, of_service, one, possible
from league.api.schema import Shape
from league.bots import listing, uploads, usage
from league.bots import services as bots
from league.bots.models import Bot, Found, Version
from league.standings.models import Standing
from league.tournaments import services as tournaments

me_router = Router(tags=["me"])
router = Router(tags=["bots"])


class BotFilter(Paged):
    name: Name = ""
    """Part of the name."""
    author: Name = ""
    """The whole name of its author."""
    state: Literal["", "playing", "retired", "deleted"] = ""
    """Empty: all but the deleted ones."""


class VersionFilter(Paged):
    """A page of the versions of a bot."""


class Submission(Shape):
    bot: str = Field(min_length=1, max_length=200, examples=["Bishop"])
    """The name of a new bot, or of one of yours."""
    message: str = Field("", max_length=1_000, examples=["counts what was seen"])
    """What is new, for yourself."""


@me_router.get("/me", operation_id="get_me", summary="Who I am", response={200: Me, **possible()}, **OWN)
def me(request: Request) -> Me:
    """The user of the token, what the token allows, and how many more bots may be made."""
    token = held(request.auth)
    told = TokenAnswer(name=token.name, scopes=token.scopes, expires_at=token.expires_at)
    return Me(id=token.user.pk, name=token.user.username, bots_left=bots.bots_left(token.user), token=told)


@me_router.get("/me/bots", operation_id="list_my_bots", summary="My bots", response={200: MyBots, **possible()}, **OWN)
def my_bots(request: Request) -> MyBots:
    """All of the user's bots: which version plays, how it stands, what the newest upload came to."""
    token = held(request.auth)
    own = listing.own(token.user)
    places = _places([row.active.pk for row in own if row.active])
    return MyBots(bots=[_my_bot(request.auth, row, places) for row in own])


@router.get("/bots", operation_id="list_bots", summary="Bots", response={200: BotPage, **possible(422)}, **PUBLIC)
def bot_list(request: Request, wanted: Query[BotFilter]) -> BotPage:
    """Bots, the oldest first, with the version that plays and its place on the open ladder."""
    found = _filtered(wanted).filter(pk__gt=cursor.number(wanted.cursor, 0)).select_related("owner").order_by("pk")
    rows, last = cursor.page(list(found[: wanted.limit + 1]), wanted.limit)
    active = _active(rows)
    places = _places(list(active.values()))
    told = [_bot(bot, active.get(bot.pk), places) for bot in rows]
    return BotPage(bots=told, next=str(last.pk) if last else None)


@router.get(
    "/bots/{bot}", operation_id="get_bot", summary="A bot", response={200: BotAnswer, **possible(404, 422)}, **PUBLIC
)
def one_bot(request: Request, bot: PathNumber) -> BotAnswer:
    """A bot with the version that plays and its place on the open ladder."""
    found = one(Bot.objects.select_related("owner"), "bot", pk=bot)
    active = _active([found])
    return _bot(found, active.get(found.pk), _places(list(active.values())))


@router.get(
    "/bots/{bot}/versions",
    operation_id="list_versions",
    summary="Versions of a bot",
    response={200: VersionPage, **possible(404, 422)},
    **PUBLIC,
)
def version_list(request: Request, bot: PathNumber, wanted: Query[VersionFilter]) -> VersionPage:
    """All uploads of a bot, the newest first, without their reports and places in the queue."""
    owner = one(Bot.objects.select_related("owner"), "bot", pk=bot)
    before = cursor.number(wanted.cursor, LARGEST_ID)
    found = owner.versions.filter(number__lt=before).select_related("bot__owner").order_by("-number")
    rows, last = cursor.page(list(found[: wanted.limit + 1]), wanted.limit)
    told = [_version(request.auth, version) for version in rows]
    return VersionPage(versions=told, next=str(last.number) if last else None)


def small_enough(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """That operation, if the request is by its own word no larger than an upload may be: nothing is read before."""

    def checked(request: HttpRequest, **arguments: Any) -> HttpResponse:
        most = settings.FILE_UPLOAD_MAX_MEMORY_SIZE
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdigit() and int(length) > most:
            words = f"The request has {int(length):,} bytes; the limit for an upload with its form is {most:,}."
            return answer(Refused("too_large", words, "file"))
        return run(request, **arguments)

    return checked


@router.post(
    "/versions",
    operation_id="submit_version",
    summary="Submit a bot",
    response={201: VersionAnswer, **possible(400, 403, 409, 413, 422)},
    **OWN,
)
@decorate_view(small_enough)
def submit(
    request: Request,
    file: Annotated[UploadedFile, File(..., description="A .py file, or a .zip with bot.py at its top.")],
    form: Form[Submission],
) -> Status[VersionAnswer]:
    """Submit a .py file, or a .zip with bot.py, as a new bot of that name or as the next version of yours of that name.

    It is checked in the sandbox as soon as its turn comes: ask for the version until it is no longer `checking`. The
    newest version is told as it is where it is this very file. Needs the scope `submit`.
    """
    token = demand(request.auth, Token.Scope.SUBMIT)
    most = max(settings.UPLOAD_MAX_BYTES, settings.ZIP_MAX_BYTES)
    if file.size is None or file.size > most:
        raise Refused("too_large", f"The file has {file.size or 0:,} bytes; the limit is {most:,}.", "file")
    try:
        name = uploads.bot_name(form.bot)
    except ValidationError as wrong:
        raise Refused("invalid", " ".join(wrong.messages), "bot") from None
    try:
        with throttle.upload(request, token.user_id):
            version = services.submit(token, name, file.name or "", file.read(), form.message)
    except services.TokenGone:
        raise unknown_token() from None
    except ValidationError as refused:
        raise of_service(refused) from None
    return Status(201, _version(request.auth, version, whole=True))


@router.get(
    "/versions/{version}",
    operation_id="get_version",
    summary="A version and its check",
    response={200: VersionAnswer, **possible(404, 422)},
    **PUBLIC,
)
def one_version(request: Request, version: PathNumber) -> VersionAnswer:
    """Its status, its place in the queue while it waits, and what its check found, for those who may read that."""
    found = one(Version.objects.select_related("bot__owner", "report"), "version", pk=version)
    return _version(request.auth, found, whole=True)


def _filtered(wanted: BotFilter) -> QuerySet[Bot]:
    found = Bot.objects.filter(deleted_at__isnull=wanted.state != "deleted")
    if wanted.state in ("playing", "retired"):
        found = found.filter(retired_at__isnull=wanted.state == "playing")
    if wanted.state == "playing":
        found = found.filter(Exists(Version.objects.filter(bot=OuterRef("pk"), status=Version.Status.ACTIVE)))
    if wanted.name:
        found = found.filter(name__icontains=wanted.name)
    return found.filter(owner__username__iexact=wanted.author) if wanted.author else found


def _active(rows: Sequence[Bot]) -> dict[int, int]:
    """The version that plays for each of those bots that has one."""
    playing = Version.objects.filter(bot__in=[bot.pk for bot in rows], status=Version.Status.ACTIVE)
    return dict(playing.values_list("bot_id", "pk"))


def _places(versions: list[int]) -> dict[int, Standing]:
    """The rows of those versions on the open ladder, by version."""
    found = Standing.objects.filter(tournament=tournaments.ladder(), version__in=versions)
    return {row.version_id: row for row in found}


def _bot(bot: Bot, active: int | None, places: dict[int, Standing]) -> BotAnswer:
    return BotAnswer(**answers.bot_columns(bot, active, places.get(active or 0)))


def _my_bot(caller: Caller, row: listing.Own, places: dict[int, Standing]) -> MyBot:
    active = row.active.pk if row.active else None
    newest = _version(caller, row.newest) if row.newest else None
    return MyBot(**answers.bot_columns(row.bot, active, places.get(active or 0)), newest=newest)


def _version(caller: Caller, version: Version, whole: bool = False) -> VersionAnswer:
    """The version; with its place in the queue and its report where it is told as a whole."""
    private = caller.sees_private(version.bot)
    found = getattr(version, "report", None) if private and whole else None
    columns: dict[str, Any] = {
        **dict(answers.version_name(version)),
        "status": version.status,
        "created_at": version.created_at,
        "checked_at": version.checked_at,
        "waiting": _waiting(version) if whole and version.status == Version.Status.CHECKING else None,
        "message": version.message if private else None,
        "filename": version.filename if private else None,
        "size": version.size if private else None,
        "report": _report(version, found) if found else None,
        "page": reverse("bots:version", args=(version.pk,)),
    }
    return VersionAnswer(**columns)


def _waiting(version: Version) -> Waiting:
    wait = bots.wait(version)
    running = version.lease_until is not None
    return Waiting(ahead=wait.ahead, wait_s=wait.wait_s, running=running, games_done=version.games_done)


def _report(version: Version, found: Found) -> ReportAnswer:
    used = usage.usage(found)
    return ReportAnswer(
        passed=None if version.checked_at is None else version.status != Version.Status.REJECTED,
        reason=found.reason,
        traceback=found.traceback,
        output=found.output,
        used=UsageAnswer(**used.as_dict()) if used else None,
    )
