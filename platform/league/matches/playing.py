"""Plays what was claimed, in this worker's sandboxes, and hands over what came of it.

What a bot does wrong is part of the record. Everything else that goes wrong is the platform's fault: the match or the
check is given back and done again.
"""

import logging
import time
import traceback

from arena import match as engine
from arena.qualification import qualify
from arena.replay import Record
from arena.ruleset import Ruleset, TimeControl
from arena.usage import Usage
from arena.witness import Witness
from league.bots import holding, trials
from league.bots import services as bots
from league.bots.findings import Finding
from league.bots.models import Trial, Version
from league.matches import pairing, pausing, services, workers
from league.matches.boxes import Boxes
from league.matches.models import Match
from league.matches.services import BotLog
from league.matches.stopping import Stopped, interruptible
from league.matches.watching import GivenUp, given_up_when
from league.tournaments import services as tournaments
from sandbox.cores import one_core
from sandbox.errors import BadUpload
from sandbox.session import Session

log = logging.getLogger(__name__)

EXTEND_EVERY_S = 1.0
"""Games of quick bots take milliseconds; the lease needs no more than this."""


class LeaseLost(Exception):  # noqa: N818
    """The match is held by somebody else by now, or was cancelled: there is no use in playing on."""


def play(match: Match, boxes: Boxes) -> bool:
    """Play that claimed match and record it; False where it was given back, or is held no more."""
    try:
        with interruptible():
            record, logs = _play(match, boxes)
        recorded = services.record(match, record, logs)
    except Stopped:
        services.release(match)
        return False
    except LeaseLost:
        log.info("match %s, attempt %s: held no more", match.pk, match.attempt)
        return False
    except Exception:
        log.exception("match %s, attempt %s: the platform's fault", match.pk, match.attempt)
        boxes.drop_all()
        _give_back(match, traceback.format_exc())
        return False
    if recorded:
        pausing.did_match()
        score = f"{record.points[0]}:{record.points[1]} {record.outcome.reason}".rstrip()
        log.info("match %s: %s - %s %s", match.pk, match.version_a, match.version_b, score)
    else:
        log.info("match %s, attempt %s: came too late to be recorded", match.pk, match.attempt)
    return recorded


def check(held: Version | Trial, boxes: Boxes) -> None:
    """Check that claimed version or trial; a version is active and part of the ladder if it passes, rejected if not."""
    try:
        workers.begin_check(held)
        with interruptible():
            passed, finding = _check(held, boxes)
        _conclude(held, finding, passed)
        pausing.did_check()
        log.info("check of %s: %s", held, finding.reason or "passed")
    except Stopped:
        holding.release(held)
    except (GivenUp, LeaseLost):
        log.info("check of %s, attempt %s: held no more", held, held.attempt)
        boxes.drop_all()
    except Exception:
        log.exception("check of %s %s, attempt %s: the platform's fault", type(held), held.pk, held.attempt)
        boxes.drop_all()
        _fail(held, traceback.format_exc(limit=0))
    finally:
        if isinstance(held, Trial):
            boxes.forget(held)
        workers.end_check()


def _conclude(held: Version | Trial, finding: Finding, passed: bool) -> None:
    if isinstance(held, Trial):
        trials.finish(held, finding, passed=passed)
    elif passed:
        pairing.admit(held, finding)
    else:
        bots.finish_check(held, finding, passed=False)


def _give_back(match: Match, fault: str) -> None:
    """A fault of a worker that is paused, or that this one pauses, is no attempt at the match."""
    if pausing.met_fault(fault, match):
        services.release(match)
    else:
        services.fail(match, fault)


def _fail(held: Version | Trial, fault: str) -> None:
    if pausing.met_fault(fault, held):
        holding.release(held)
    elif isinstance(held, Trial):
        trials.fail(held, fault)
    else:
        bots.fail_check(held, fault)


def _play(match: Match, boxes: Boxes) -> tuple[Record, tuple[BotLog, BotLog]]:
    time_control = TimeControl.from_dict(match.tournament.time_control)
    first, second = boxes.of(match.version_a), boxes.of(match.version_b)
    name = f"match {match.pk}"
    with first.match(time_control, f"{name} A") as a, second.match(time_control, f"{name} B") as b, one_core():
        seats = Witness(a), Witness(b)
        record = engine.play(
            seats, Ruleset.from_dict(match.tournament.ruleset), time_control, match.seed, _Progress(match)
        )
    return record, (_log(a, seats[0]), _log(b, seats[1]))


def _log(session: Session, seat: Witness) -> BotLog:
    used = Usage(session.memory_peak_kib, session.cpu_s, seat.calls)
    return BotLog(seat.traceback, session.output, session.printed, used)


def _check(held: Version | Trial, boxes: Boxes) -> tuple[bool, Finding]:
    ladder = tournaments.ladder()
    time_control = TimeControl.from_dict(ladder.time_control)
    try:
        box = boxes.of(held)
    except BadUpload as bad:
        return False, Finding(str(bad))

    def on_game(games_done: int) -> None:
        if not holding.extend(held, games_done):
            raise LeaseLost

    name = f"check {held.pk}"
    ruleset = Ruleset.from_dict(ladder.ruleset)
    with (
        box.match(time_control, name) as candidate,
        boxes.opponent().match(time_control, name) as opponent,
        one_core(),
        given_up_when(lambda: holding.is_lost(held)),
    ):
        verdict = qualify(candidate, opponent, ruleset, time_control, on_game)
    if not verdict.passed:
        boxes.drop(box)
    used = Usage(candidate.memory_peak_kib, candidate.cpu_s, verdict.calls)
    return verdict.passed, Finding(verdict.reason, verdict.traceback, candidate.output, verdict.record, used)


class _Progress:
    """Extends the lease as games are finished."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._next = time.monotonic() + EXTEND_EVERY_S

    def __call__(self, games_done: int) -> None:
        if time.monotonic() < self._next:
            return
        if not services.extend(self._match, games_done):
            raise LeaseLost
        self._next = time.monotonic() + EXTEND_EVERY_S
