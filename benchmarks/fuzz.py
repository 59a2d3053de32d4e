"""Whether anything that is sent to the site makes it fail or grow: `make fuzz`.

Uploads (`benchmarks.fuzz_uploads`) and requests to every route (`benchmarks.fuzz_requests`) go to the WSGI application
in this one process, as visitors of every kind, on a small league in a temporary folder. Everything is drawn from one
seed: two runs send the same. Limits of how often one may try are off, nothing is rung for, and passwords are hashed
quickly; all else is the site as it is. Exit code 1 where a figure falls short.
"""

import argparse
import gc
import json
import logging
import os
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
SENT, WARM_UP = 10_000, 2_000
UPLOADS = 0.3
"""Of everything that is sent."""
LOG_IN_EVERY = 100
SHOWN = 20
GROWTH_MIB, GROWTH_FILES, GROWTH_PROCESSES = 32.0, 2, 0
PAGE_MIB = os.sysconf("SC_PAGE_SIZE") / 2**20


class Figure(NamedTuple):
    name: str
    value: float
    goal: float
    at_least: bool = False

    @property
    def short(self) -> bool:
        return self.value < self.goal if self.at_least else self.value > self.goal


class Held(NamedTuple):
    """What this process holds."""

    rss_mib: float
    files: int
    processes: int
    """Its children."""


class Outcome(NamedTuple):
    statuses: Counter[int]
    failed: list[str]
    taken: int
    """Good uploads that were stored."""
    warm: Held
    end: Held


def main() -> int:
    options = _options()
    began = time.perf_counter()
    with TemporaryDirectory(prefix="arena-fuzz-") as home:
        _set_up(home)
        outcome = _send_all(options.sent, options.seed)
    figures = _figures(outcome, options.sent)
    for each in figures:
        sign = ">=" if each.at_least else "<="
        print(f"{each.name:44} {each.value:9.6g}   goal: {sign} {each.goal:g}{' - short' * each.short}")
    for line in outcome.failed[:SHOWN]:
        print(f"  {line}")
    print("answers: " + ", ".join(f"{status}: {count}" for status, count in sorted(outcome.statuses.items())))
    print(f"{time.perf_counter() - began:.0f} s, seed {options.seed}, load average {os.getloadavg()[0]:.1f}")
    short = [each.name for each in figures if each.short]
    print(f"short of a goal: {', '.join(short)}" if short else "every goal is met")
    _write(options, figures, outcome)
    return int(bool(short))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.fuzz", description="whether anything makes the site fail or grow")
    parser.add_argument("--sent", type=int, default=SENT, help="uploads and requests; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "fuzz.json", metavar="FILE")
    return parser.parse_args()


def _set_up(home: str) -> None:
    """The site on a new database in that folder, with a small league."""
    for name in [name for name in os.environ if name.startswith("ARENA_") or name in ("DATABASE_URL", "REDIS_URL")]:
        del os.environ[name]
    limits = (
        "API_USER_PER_MINUTE", "API_ANONYMOUS_PER_MINUTE", "LOGIN_FAILURES", "LOGIN_FAILURES_ADDRESS",
        "SIGN_UPS_PER_HOUR", "UPLOADS_USER_PER_HOUR", "UPLOADS_ADDRESS_PER_HOUR",
    )  # fmt: skip
    os.environ |= {f"ARENA_{name}": str(10**9) for name in limits}
    os.environ |= {"ARENA_HOME": home, "DJANGO_SETTINGS_MODULE": "league.settings"}
    import django
    from django.conf import settings

    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    django.setup()
    logging.disable(logging.CRITICAL)
    from django.core.management import call_command
    from django.utils import timezone

    from league import doorbell
    from league.operations import seeding

    doorbell._send = lambda task, times: None
    doorbell._queued = lambda task: 0
    call_command("collectstatic", verbosity=0, interactive=False)
    call_command("migrate", verbosity=0)
    seeding.fill(seed=1, bots=12, matches=60, replays=6, now=timezone.now())


def _send_all(sent: int, seed: int) -> Outcome:
    from django.core.signals import got_request_exception
    from django.urls import get_resolver

    from benchmarks.fuzz_requests import Generator, routes
    from league.wsgi import application

    rng = Random(seed)
    generator = Generator(rng, sorted({*routes(get_resolver().url_patterns)}), _known())
    faults: list[str] = []

    def note(**_: Any) -> None:
        faults.append(f"{sys.exc_info()[1]!r}"[:300])

    got_request_exception.connect(note)
    statuses: Counter[int] = Counter()
    failed, taken = [], 0
    warm = _held()
    for number in range(sent):
        if number % LOG_IN_EVERY == 0:
            visitors = _visitors()
        if number == min(WARM_UP, sent // 5):
            warm = _held()
        who = rng.choice(visitors)
        request = generator.upload(who) if rng.random() < UPLOADS else generator.request(who)
        status = _ask(application, request.environ, faults)
        statuses[status] += 1
        if status >= 500 or faults:
            failed.append(f"{status} {request.told}: {'; '.join(faults)}")
            faults.clear()
        taken += request.good and status < 400
    return Outcome(statuses, failed, taken, warm, _held())


def _ask(application: Any, environ: dict[str, Any], faults: list[str]) -> int:
    """The status of the answer, which is read to its end; 599 where the application raised."""
    said = []
    try:
        answer = application(environ, lambda status, _headers, _error=None: said.append(int(status[:3])))
        for _ in answer:
            pass
        answer.close()
    except Exception as error:
        faults.append(f"raised {error!r}"[:300])
        return 599
    return said[0]


def _visitors() -> list[Any]:
    """An author, an organiser and a superuser, logged in anew: some requests log out, or delete whom they are of."""
    from django.conf import settings
    from django.test import Client

    from benchmarks.fuzz_requests import Who
    from league.accounts import tokens
    from league.accounts.models import Token, User

    found = []
    for name, marks in (("ada", {}), ("judge", {"is_staff": True}), ("root", {"is_staff": True, "is_superuser": True})):
        user, _made = User.objects.update_or_create(
            username=name, defaults={**marks, "is_active": True, "bots_allowed": 50}
        )
        user.tokens.all().delete()
        browser = Client()
        browser.force_login(user)
        _token, text = tokens.issue(user, "fuzz", Token.Scope.values)
        found.append(Who(browser.cookies[settings.SESSION_COOKIE_NAME].value, text))
    return found


def _known() -> dict[str, list[str]]:
    """Values of each kind of a route's parts that something on the site has."""
    from league.bots.models import Bot, Version
    from league.matches.models import Match

    numbers = [str(each) for model in (Bot, Version, Match) for each in model.objects.values_list("pk", flat=True)[:20]]
    return {"int": numbers, "slug": ["ladder"], "str": ["A", "accounts/user/", "auth/group/add/"]}


def _held() -> Held:
    gc.collect()
    me = Path("/proc/self")
    pages = int((me / "statm").read_text().split()[1])
    children = sum(len(path.read_text().split()) for path in me.glob("task/*/children"))
    return Held(pages * PAGE_MIB, len(list((me / "fd").iterdir())), children)


def _figures(outcome: Outcome, sent: int) -> list[Figure]:
    warm, end = outcome.warm, outcome.end
    return [
        Figure("uploads and requests sent", sum(outcome.statuses.values()), SENT, at_least=True),
        Figure("faults of the site (5xx)", len(outcome.failed), 0),
        Figure("good uploads taken", outcome.taken, sent // 40, at_least=True),
        Figure(f"growth of memory after the first {WARM_UP:,}, MiB", end.rss_mib - warm.rss_mib, GROWTH_MIB),
        Figure("growth of open files", end.files - warm.files, GROWTH_FILES),
        Figure("growth of processes", end.processes - warm.processes, GROWTH_PROCESSES),
    ]


def _write(options: argparse.Namespace, figures: list[Figure], outcome: Outcome) -> None:
    told = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": options.seed,
        "figures": [{**each._asdict(), "short": each.short} for each in figures],
        "statuses": dict(sorted(outcome.statuses.items())),
        "rss_mib": [round(outcome.warm.rss_mib, 1), round(outcome.end.rss_mib, 1)],
        "failed": outcome.failed,
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
