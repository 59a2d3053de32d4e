"""What comes late or twice in `make chaos`: results and verdicts of holders that have lost what they held."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from benchmarks import chaos_league
from benchmarks.chaos_league import League
from league.bots import holding
from league.bots import services as bots
from league.bots.findings import Finding
from league.bots.models import Report, Version
from league.matches import holder, services
from league.matches.models import Attempt, Log, Match, Replay
from league.matches.services import BotLog

NO_LOGS = BotLog(), BotLog()


class Latecomer:
    """A process that claims as workers do, and lets the leases pass."""

    def __init__(self, league: League) -> None:
        self.changed: list[str] = []
        """What came late or twice, and was not dropped."""
        self._league = league
        self._matches: list[Match] = []
        self._checks: list[Version] = []

    @property
    def waits(self) -> bool:
        """Whether there is something that it has not yet posted."""
        return bool(self._matches or self._checks)

    def hold_match(self) -> bool:
        """Claim a match, to post a result that never was when another has recorded it; False where none waits."""
        match = services.claim(holder.name())
        if match:
            self._matches.append(match)
        return match is not None

    def hold_check(self) -> bool:
        """Submit a bot and claim its check, to reject it when another has passed it."""
        with transaction.atomic():  # no worker can be quicker
            version = self._league.submit()
            held = holding.claim(Version.objects.filter(pk=version.pk))
        if held:
            self._checks.append(held)
        return held is not None

    def record_twice(self) -> bool:
        """Play a match, and record it twice; False where none waits."""
        match = services.claim(holder.name())
        if match is None:
            return False
        record = chaos_league.played(match)
        if services.record(match, record, NO_LOGS):
            before = _state(match)
            again = services.record(match, record, NO_LOGS)
            self._note(f"match {match.pk}, recorded twice", again, before, _state(match))
        return True

    def post(self) -> None:
        """Post what others have done by now."""
        done = Match.objects.filter(pk__in=[match.pk for match in self._matches], status=Match.Status.PLAYED)
        for match in self._take(self._matches, set(done.values_list("pk", flat=True))):
            self._post_result(match)
        checked = Version.objects.filter(pk__in=[version.pk for version in self._checks], checked_at__isnull=False)
        for version in self._take(self._checks, set(checked.values_list("pk", flat=True))):
            self._post_verdict(version)

    def _post_result(self, match: Match) -> None:
        record = chaos_league.played(match, seed=match.seed ^ 1)
        before = _state(match)
        verbs: dict[str, Callable[[], bool]] = {
            "extended": lambda: services.extend(match, 1),
            "released": lambda: services.release(match),
            "failed": lambda: services.fail(match, "late"),
            "recorded": lambda: services.record(match, record, NO_LOGS),
        }
        for name, verb in verbs.items():
            self._note(f"match {match.pk}, {name} late", verb(), before, _state(match))

    def _post_verdict(self, version: Version) -> None:
        before = _state_of_check(version)
        late = bots.finish_check(version, Finding("late"), passed=False) or bots.fail_check(version, "late")
        self._note(f"version {version.pk}, judged late", late, before, _state_of_check(version))

    def _note(self, what: str, done: bool, before: Any, after: Any) -> None:
        if done or before != after:
            self.changed.append(what)

    @staticmethod
    def _take(held: list[Any], numbers: set[int]) -> list[Any]:
        """Those of these numbers, which are held no longer."""
        taken = [each for each in held if each.pk in numbers]
        held[:] = [each for each in held if each.pk not in numbers]
        return taken


def _state(match: Match) -> list[Any]:
    """All that is stored of it."""
    models = Replay, Log, Attempt
    rows = [list(model.objects.filter(match=match).order_by("pk").values()) for model in models]
    return [Match.objects.filter(pk=match.pk).values().get(), *rows]


def _state_of_check(version: Version) -> list[Any]:
    return [
        Version.objects.filter(pk=version.pk).values("status", "attempt", "lease_until", "checked_at").get(),
        list(Report.objects.filter(version=version).values()),
    ]
