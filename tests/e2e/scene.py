"""A league that has one of everything that a page can show, made for the browser tests by `python -m tests.e2e.scene`.

It runs in a process of its own, since Django's database layer does not go with Playwright's event loop. What it made
is printed as JSON: the numbers of what the pages are of, and a session for each kind of visitor.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from random import Random
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

import arena  # noqa: E402
from arena.match import play  # noqa: E402
from arena.players import LocalPlayer  # noqa: E402
from arena.qualification import GAMES  # noqa: E402
from arena.replay import Record  # noqa: E402
from arena.ruleset import Ruleset, TimeControl  # noqa: E402
from arena.usage import Usage  # noqa: E402
from arena.witness import Witness  # noqa: E402
from league import doorbell  # noqa: E402
from league.accounts import tokens  # noqa: E402
from league.accounts.models import Token, User  # noqa: E402
from league.bots import holding, trials  # noqa: E402
from league.bots import services as bots  # noqa: E402
from league.bots.findings import Finding  # noqa: E402
from league.bots.models import Bot, Report, Trial, Version  # noqa: E402
from league.matches import pairing, roster, seasons  # noqa: E402
from league.matches import services as matches  # noqa: E402
from league.matches.models import Attempt, Log, Match, Worker  # noqa: E402
from league.matches.services import BotLog  # noqa: E402
from league.operations import seeding  # noqa: E402
from league.operations.seeding import times  # noqa: E402
from league.organisers import rejudging, services  # noqa: E402
from league.organisers.models import Announcement, Flag  # noqa: E402
from league.organisers.suspicion import Suspect  # noqa: E402
from league.scrimmages import services as scrimmages  # noqa: E402
from league.standings import services as standings  # noqa: E402
from league.tournaments import registration  # noqa: E402
from league.tournaments import services as tournaments  # noqa: E402
from league.tournaments.models import Season  # noqa: E402

PASSWORD = "a long enough one"
SOURCE = "class Bot:\n    def play(self, observation):\n        return observation.legal_plays[0]\n"
HOSTILE = "<img src=x onerror=alert(1)>\x1b[31mred\u202eevil"
"""HTML that would run, a colour of terminals, a mark that turns the direction of what follows."""
WORDS = "<script>alert(2)</script> \x1b[2J\x07 \u202egnirts\u202c </pre></td><h1>in</h1> " + "W" * 300
OUTPUT = f"{WORDS} \0 \ud800\n"
TRACEBACK = 'Traceback (most recent call last):\n  File "bot.py", line 3, in play\n    return self.plan\n'
WORKER = "worker@table:4711"


class Layer:
    """Lays the last of its legal plays."""

    def play(self, observation: Any) -> Any:
        return observation.legal_plays[-1]


class Passer:
    """Lays the first of its legal plays."""

    def play(self, observation: Any) -> Any:
        return observation.legal_plays[0]


class Raiser(Layer):
    """Fails at its ninth decision, with a message that is meant for somebody's browser."""

    asked = 0

    def play(self, observation: Any) -> Any:
        self.asked += 1
        if self.asked == 9:
            raise ValueError(HOSTILE)
        return super().play(observation)


class Unloadable:
    def __init__(self) -> None:
        raise RuntimeError("no plan")


def main() -> None:
    """Make it in the database of the environment, and print what is there."""
    call_command("migrate", verbosity=0)
    doorbell.ring = lambda task, times=1: None  # type: ignore[assignment]
    doorbell.top_up = lambda task, wanted: None  # type: ignore[assignment]
    seeding.fill(seed=1, bots=30, matches=250, replays=0, now=timezone.now())
    owner, other, staff = (user(name) for name in ("ada", "eve", "judge"))
    User.objects.filter(pk=owner.pk).update(bots_allowed=20)
    User.objects.filter(pk=staff.pk).update(is_staff=True, is_superuser=True)
    owner.refresh_from_db()
    found = {
        **workshop(owner),
        **tried(owner),
        **hostile(owner),
        **everything_a_match_can_be(owner, other),
        **seasons_in_each_phase(owner),
        **organised(staff, owner),
        **asked_for(owner),
        "owner": owner.pk,
        "other": other.pk,
    }
    tokens.issue(owner, "laptop", Token.Scope.values, timezone.now() + timedelta(days=90))
    tokens.issue(owner, HOSTILE[:60], [], timezone.now() - timedelta(days=1))
    heard = {"version": arena.__version__, "seen_at": timezone.now() + timedelta(hours=1)}
    Worker.objects.create(
        name=WORKER, sandbox="Docker 26.1, runsc", able=True, processes=[WORKER], matches=1_204, checks=31, **heard
    )
    paused = {"pause": Worker.Pause.FAULTS, "pause_reason": HOSTILE, "paused_at": timezone.now(), "faults": 5}
    fault = {"fault": f"{HOSTILE}\n{WORDS}", "faulted_at": timezone.now(), "try_at": timezone.now()}
    Worker.objects.create(name=HOSTILE, sandbox=f"none: {WORDS[:200]}", able=False, **heard, **paused, **fault)
    standings.refresh(tournaments.ladder())
    sessions = {name: session(who) for name, who in (("owner", owner), ("other", other), ("staff", staff))}
    json.dump({"subjects": found, "sessions": sessions}, sys.stdout)


def user(name: str) -> User:
    found, _ = User.objects.get_or_create(username=name)
    found.set_password(PASSWORD)
    found.save()
    return found


def session(who: User) -> str:
    client = Client()
    client.force_login(who)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def upload(owner: User, bot: Bot | str, message: str = "", source: str = SOURCE) -> Version:
    stamp = f"# {Version.objects.count()}\n"
    return bots.submit(owner, bot, "bot.py", (source + stamp).encode(), message)


def held(version: Version) -> Version:
    claimed = holding.claim(Version.objects.filter(pk=version.pk).select_related("bot__owner"))
    assert claimed is not None
    return claimed


def active(owner: User, bot: Bot | str, message: str = "", source: str = SOURCE) -> Version:
    version = held(upload(owner, bot, message, source))
    played, used, _ = timed(Layer, Passer, GAMES)
    assert pairing.admit(version, Finding("", output="ready\n", record=played, used=used))
    return version


def rejected(owner: User, bot: Bot | str, finding: Finding) -> Version:
    version = held(upload(owner, bot, "a bolder plan"))
    assert bots.finish_check(version, finding, passed=False)
    return version


def record(a: type, b: type, games: int = 12, seed: int = 7) -> Record:
    return play((LocalPlayer(a), LocalPlayer(b)), Ruleset(games=games), TimeControl(), seed)


def timed(a: type, b: type, games: int = 12, seed: int = 7) -> tuple[Record, Usage, Usage]:
    """A match with times of slow bots, and what both used."""
    seats = Witness(LocalPlayer(a)), Witness(LocalPlayer(b))
    played = play(seats, Ruleset(games=games), TimeControl(), seed)
    chance = Random(seed)
    times.draw(played, chance)
    return played, times.used(played, seats[0].calls, chance), times.used(played, seats[1].calls, chance)


def workshop(owner: User) -> dict[str, int]:
    """Bots of the owner in each state."""
    failed, used, _ = timed(Raiser, Passer, GAMES)
    finding = Finding(
        f"{failed.outcome.reason}; run it here: arena check bot.py",
        TRACEBACK + f"ValueError: {HOSTILE}\n",
        f"plan\n{OUTPUT}",
        failed,
        used,
    )
    earlier = active(owner, "Workshop", "first try")
    playing = active(owner, earlier.bot, "counts what has been seen", SOURCE.replace("[0]", "[-1]"))
    failing = rejected(owner, playing.bot, finding)
    running = held(upload(owner, "Under test"))
    bots_extended = holding.extend(running, 1)
    assert bots_extended
    broken = rejected(owner, "Broken", Finding("at load: no class named Bot in bot.py", TRACEBACK))
    retired = active(owner, "Pensioner").bot
    roster.retire(retired)
    deleted = active(owner, "Departed").bot
    finish(Match.objects.filter(version_b__bot=deleted, status=Match.Status.QUEUED)[0], record(Layer, Passer))
    roster.delete(deleted)
    waiting = upload(owner, "In line")
    return {
        "bot": playing.bot_id,
        "superseded_version": earlier.pk,
        "active_version": playing.pk,
        "rejected_version": failing.pk,
        "checked_version": running.pk,
        "waiting_version": waiting.pk,
        "broken_version": broken.pk,
        "broken_bot": broken.bot_id,
        "retired_bot": retired.pk,
        "deleted_bot": deleted.pk,
    }


def tried(owner: User) -> dict[str, int]:
    """Trials of the owner in each state."""

    def checked(finding: Finding, passed: bool) -> int:
        trials.ask(owner, "bot.py", SOURCE.encode())
        trial = holding.claim(Trial.objects.filter(owner=owner))
        assert trial is not None
        assert trials.finish(trial, finding, passed=passed)
        return trial.pk

    failed = record(Raiser, Passer, GAMES)
    return {
        "passed_trial": checked(Finding("", record=record(Layer, Passer, GAMES)), passed=True),
        "failed_trial": checked(Finding(failed.outcome.reason, TRACEBACK, WORDS, failed), passed=False),
        "waiting_trial": trials.ask(owner, "bot.py", SOURCE.encode()).pk,
    }


def hostile(owner: User) -> dict[str, int]:
    """A user, a bot and a match that mean harm to who looks at them, as they would be had no form refused them."""
    mallory = user("mallory")
    version = active(mallory, "Trojan", WORDS[:120].replace("\x1b", " ").replace("\x07", " "))
    refused = rejected(mallory, version.bot, Finding(WORDS, OUTPUT, OUTPUT))
    match = Match.objects.filter(version_b=version, version_a__bot__owner=owner, status=Match.Status.QUEUED)[0]
    played, used, failed = timed(Passer, Raiser)
    finish(
        match,
        played,
        BotLog("", OUTPUT, [(1, 3, OUTPUT)], used),
        BotLog(TRACEBACK + HOSTILE, OUTPUT, [(1, 3, OUTPUT)], failed),
    )
    Match.objects.filter(pk=match.pk).update(reason=f"game 1, decision 9: {WORDS[:270]}")
    watched = Match.objects.filter(version_b=version, status=Match.Status.QUEUED)[0]
    finish(watched, record(Layer, Passer), BotLog(), BotLog("", OUTPUT * 2, [(1, 0, OUTPUT), (1, 3, OUTPUT)]))
    broken_off = Match.objects.filter(version_b=version, status=Match.Status.QUEUED)[0]
    give_up(broken_off, WORDS)
    Bot.objects.filter(pk=version.bot_id).update(name=HOSTILE[:40])
    User.objects.filter(pk=mallory.pk).update(username=f"{HOSTILE} {'m' * 90}"[:150])
    Version.objects.filter(pk__in=[version.pk, refused.pk]).update(message=WORDS[:200], filename=f"{HOSTILE}.py")
    Report.objects.filter(version=refused).update(reason=WORDS)
    Log.objects.filter(match=match, seat="A").update(traceback=TRACEBACK + WORDS)
    return {
        "hostile_user": mallory.pk,
        "hostile_bot": version.bot_id,
        "hostile_version": version.pk,
        "hostile_rejected": refused.pk,
        "hostile_match": match.pk,
        "hostile_watched": watched.pk,
        "hostile_failed": broken_off.pk,
    }


def everything_a_match_can_be(owner: User, other: User) -> dict[str, int]:
    """A match of the owner in each state, and one of bots that others own."""
    rival = active(other, "Rival")
    wide = active(other, "W" * 40)
    queued = Match.objects.filter(version_b=wide, status=Match.Status.QUEUED).order_by("-pk")
    mine = queued.filter(version_a__bot__owner=owner)
    drawn, cancelled, unbegun, foreign = mine[0], mine[1], mine[2], queued.filter(version_a=rival)[0]
    completed = Match.objects.filter(version_b=rival, version_a__bot__owner=owner, status=Match.Status.QUEUED)[0]
    played, used, _ = timed(Layer, Passer)
    printed = [(1, 0, "ready\n"), (1, 2, "hand 9S TH\n")]
    finish(completed, played, BotLog("", "ready\nhand 9S TH\n", printed, used))
    finish(drawn, record(Passer, Passer))
    finish(unbegun, record(Unloadable, Passer), BotLog(TRACEBACK))
    finish(foreign, record(Layer, Layer), BotLog("", "a secret of eve\n", [(1, 1, "a secret of eve\n")]))
    Match.objects.filter(pk=cancelled.pk).update(status=Match.Status.CANCELLED)
    failed, running, waiting = queued.order_by("pk")[:3]
    give_up(failed, "the sandbox's engine does not answer: no route to host")
    held_by_worker(running)
    matches.extend(running, 5)
    return {
        "completed_match": completed.pk,
        "drawn_match": drawn.pk,
        "unbegun_match": unbegun.pk,
        "foreign_match": foreign.pk,
        "cancelled_match": cancelled.pk,
        "failed_match": failed.pk,
        "running_match": running.pk,
        "queued_match": waiting.pk,
    }


def seasons_in_each_phase(owner: User) -> dict[str, str]:
    """Addresses of a season that bots register for, one that is frozen, and one that is closed with holes."""
    now = timezone.now()
    bots = [version.bot for version in Version.objects.filter(status=Version.Status.ACTIVE).order_by("pk")[:6]]
    own = Version.objects.filter(bot__owner=owner, status=Version.Status.ACTIVE).first()
    assert own is not None
    found = {}
    for name, legs, phase in (("Summer", 1, "open"), ("Spring", 1, "frozen"), ("Winter", 2, "closed")):
        opens, deadline = now - timedelta(days=9), now + timedelta(days=5)
        season = seasons.announce(
            f"{name} season", name.lower(), opens, deadline, legs=legs, bots_per_user=3, about=f"For all.\n\n{WORDS}"
        )
        for bot in [] if phase == "frozen" else [*bots, own.bot]:
            registration.register(season, bot)
        if phase != "open":
            Season.objects.filter(pk=season.pk).update(deadline_at=now - timedelta(days=1))
        if phase == "closed":
            seasons.start(season)
            pairing.fill(season.tournament)
            for match in Match.objects.filter(tournament=season.tournament, leg=1):
                finish(match, record(Layer, Passer, seed=match.pk))
            seasons.close(season, insist=True)
            standings.refresh(season.tournament)
        found[f"season_{phase}"] = season.tournament.slug
    return found


def organised(staff: User, owner: User) -> dict[str, int]:
    """One of each of what organisers decide, announce and look at."""
    ladder = tournaments.ladder()
    outcast = active(owner, "Outcast")
    played, annulled = Match.objects.filter(version_b=outcast, status=Match.Status.QUEUED).order_by("pk")[:2]
    finish(played, record(Layer, Passer))
    services.annul(staff, annulled, f"its machine was out of memory {HOSTILE}")
    services.disqualify(staff, ladder, outcast.bot, "it is the same bot as Workshop, under another name")
    begun = rejudging.begin(staff, ladder, f"worker {WORKER} had a faulty clock", match=match_of(owner))
    finish(begun.cases.get().again, record(Passer, Layer))
    rejudging.compare_open()
    text = "Registration ends on Friday.\n\nRules: https://example.org/rules"
    services.publish(staff, Announcement(title="The spring season begins", text=text, published_at=timezone.now()))
    pair = [version.pk for version in Version.objects.filter(status=Version.Status.ACTIVE).order_by("pk")[:2]]
    told = Suspect(*pair, 1, 0.0, 0.7, -412.0, 63.5, 0.0004)
    flag = Flag.objects.create(kind=Flag.Kind.RESULT, key="0", tournament=ladder, details=told._asdict())
    flag.versions.set(pair)
    shared = Flag.objects.create(kind=Flag.Kind.CODE, key="1")
    shared.versions.set([outcast, *Version.objects.filter(bot__owner__username__contains="m" * 90)[:3]])
    return {
        "annulled_match": annulled.pk,
        "disqualified_bot": outcast.bot_id,
        "rejudging": begun.pk,
        "flag": flag.pk,
        "shared": shared.pk,
        "announcement": Announcement.objects.get().pk,
    }


def match_of(owner: User) -> Match:
    ladder = tournaments.ladder()
    won = Match.objects.filter(tournament=ladder, version_a__bot__owner=owner, status=Match.Status.PLAYED, outcome="A")
    return won.filter(version_a__status=Version.Status.ACTIVE, version_b__status=Version.Status.ACTIVE)[0]


def asked_for(owner: User) -> dict[str, int]:
    """Scrimmages of the owner in each state, and a bot that he may challenge."""
    own = Version.objects.get(bot__owner=owner, bot__name="Workshop", status=Version.Status.ACTIVE)
    others = Version.objects.filter(status=Version.Status.ACTIVE).exclude(bot__owner=owner)
    rival, wide, trojan = (others.get(**which) for which in (
        {"bot__name": "Rival"}, {"bot__name": "W" * 40}, {"bot__owner__username__startswith": HOSTILE},
    ))  # fmt: skip
    ladder = tournaments.ladder().pk
    won, forfeited, failed, cancelled = (
        scrimmages.ask(owner, own.pk, each.pk, ladder) for each in (rival, trojan, wide, rival)
    )
    finish(won.match, record(Layer, Passer))
    finish(forfeited.match, record(Layer, Raiser))
    give_up(failed.match, "the sandbox's engine does not answer: no route to host")
    assert scrimmages.cancel(cancelled)
    running = scrimmages.ask(owner, own.pk, rival.pk, ladder)
    held_by_worker(running.match)
    assert matches.extend(running.match, 5)
    scrimmages.ask(owner, own.pk, wide.pk, ladder)
    return {"scrimmage": won.pk, "rival_bot": rival.bot_id}


def held_by_worker(match: Match) -> None:
    match.attempt, match.worker, match.started_at = match.attempt + 1, WORKER, timezone.now() - timedelta(seconds=8)
    match.status, match.lease_until = Match.Status.RUNNING, timezone.now() + timedelta(days=1)
    match.save()


def finish(match: Match, played: Record, a: BotLog = BotLog(), b: BotLog = BotLog()) -> None:  # noqa: B008
    held_by_worker(match)
    assert matches.record(match, played, (a, b))


def give_up(match: Match, fault: str) -> None:
    """As after its last attempt."""
    held_by_worker(match)
    Attempt.objects.bulk_create(
        Attempt(
            match=match, number=number, worker=WORKER, started_at=timezone.now(), ended_at=timezone.now(), fault=fault
        )
        for number in range(1, settings.MATCH_ATTEMPTS)
    )
    Match.objects.filter(pk=match.pk).update(attempt=settings.MATCH_ATTEMPTS)
    match.attempt = settings.MATCH_ATTEMPTS
    assert matches.fail(match, fault)


if __name__ == "__main__":
    main()
