from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from pytest_django import Settings

from league import doorbell
from league.accounts.models import User
from league.bots import services
from league.bots.models import Bot, Report, Source, Version

CHECKING, ACTIVE, REJECTED, SUPERSEDED = Version.Status
Upload = Callable[..., Version]


def claimed() -> Version:
    version = services.claim_check()
    assert version is not None
    return version


def status(version: Version) -> str:
    return Version.objects.get(pk=version.pk).status


def test_an_upload_becomes_a_version_that_waits_for_its_check(upload: Upload, bells: list[str]) -> None:
    version = upload("Bishop", b"class Bot: ...\n", filename="C:\\x\\bot.py", message="first try")
    assert (version.bot.name, version.number, version.status) == ("Bishop", 1, CHECKING)
    assert (version.filename, version.size, version.message) == ("bot.py", 15, "first try")
    assert bytes(Source.objects.get(version=version).content) == b"class Bot: ...\n"
    assert bells == [doorbell.CHECK]


def test_the_next_upload_is_the_next_version_of_the_same_bot(upload: Upload) -> None:
    upload("Bishop")
    second = upload("bishop", b"class Bot: pass\n")
    assert (second.bot.name, second.number) == ("Bishop", 2)


def test_a_bot_object_serves_as_well_as_its_name(upload: Upload) -> None:
    bot = upload("Bishop").bot
    assert upload(bot, b"class Bot: pass\n").number == 2


def test_a_newer_upload_supersedes_one_that_is_still_checked(upload: Upload) -> None:
    first = upload("Bishop")
    held = claimed()
    upload("Bishop", b"class Bot: pass\n")
    assert status(first) == SUPERSEDED
    assert not services.finish_check(held, services.Finding(""), passed=True)
    assert status(first) == SUPERSEDED


def test_the_same_file_twice_makes_one_version(upload: Upload) -> None:
    assert upload("Bishop") == upload("Bishop")
    assert Version.objects.count() == 1


def test_the_file_of_the_active_version_is_refused_after_a_newer_one(upload: Upload) -> None:
    upload("Bishop")
    services.finish_check(claimed(), services.Finding(""), passed=True)
    upload("Bishop", b"class Bot: pass\n")
    with pytest.raises(ValidationError, match="Version 1, which is active, is this very file"):
        upload("Bishop")


def test_a_rejected_file_may_be_tried_again(upload: Upload) -> None:
    upload("Bishop")
    services.finish_check(claimed(), services.Finding("it fell over"), passed=False)
    assert upload("Bishop").number == 2


def test_a_refused_upload_leaves_nothing_behind(upload: Upload, bells: list[str]) -> None:
    for filename, content in (("bot.txt", b"x"), ("bot.py", b""), ("bot.zip", b"x")):
        with pytest.raises(ValidationError):
            upload("Bishop", filename=filename, content=content or b" ")
    assert not Bot.objects.exists()
    assert not bells


def test_the_name_of_anothers_bot_is_refused_whatever_its_case(upload: Upload) -> None:
    upload("Bishop")
    other = User.objects.create_user("eve")
    with pytest.raises(ValidationError, match="Another user has a bot named Bishop"):
        upload("BISHOP", b"class Bot: pass\n", owner=other)
    with pytest.raises(ValidationError, match="not your bot"):
        upload(Bot.objects.get(), b"class Bot: pass\n", owner=other)


def test_a_user_may_have_so_many_bots_and_more_by_leave(upload: Upload, author: User) -> None:
    for number in range(5):
        upload(f"Bot {number}")
    assert services.bots_left(author) == 0
    with pytest.raises(ValidationError, match="You have 5 bots, as many as one user may have"):
        upload("Bot 6")
    upload("Bot 1", b"class Bot: pass\n")  # a new version of an old one counts nothing
    author.bots_allowed = 6
    author.save()
    upload("Bot 6")


def test_checks_are_claimed_oldest_first_and_once(upload: Upload) -> None:
    first, second = upload("Bishop"), upload("Rook")
    assert claimed() == first
    assert claimed() == second
    assert services.claim_check() is None


def test_a_version_that_passes_takes_the_place_of_the_active_one(upload: Upload) -> None:
    first = upload("Bishop")
    assert services.finish_check(claimed(), services.Finding(""), passed=True)
    assert status(first) == ACTIVE
    second = upload("Bishop", b"class Bot: pass\n")
    assert services.finish_check(claimed(), services.Finding(""), passed=True)
    assert (status(first), status(second)) == (SUPERSEDED, ACTIVE)


def test_a_rejected_version_leaves_the_active_one_and_tells_its_author(upload: Upload) -> None:
    first = upload("Bishop")
    services.finish_check(claimed(), services.Finding(""), passed=True)
    second = upload("Bishop", b"class Bot: pass\n")
    finding = services.Finding("it fell over", "Traceback\0...", "\ud800 hi")
    assert services.finish_check(claimed(), finding, passed=False)
    assert (status(first), status(second)) == (ACTIVE, REJECTED)
    report = Report.objects.get(version=second)
    assert (report.reason, report.traceback, report.output) == ("it fell over", "Traceback␀...", "\\ud800 hi")


def test_a_check_is_finished_once(upload: Upload) -> None:
    upload("Bishop")
    held = claimed()
    assert services.finish_check(held, services.Finding("no"), passed=False)
    assert not services.finish_check(held, services.Finding(""), passed=True)
    assert status(held) == REJECTED


def test_a_platform_fault_in_a_check_is_tried_again_and_never_a_rejection(upload: Upload) -> None:
    upload("Bishop")
    assert services.fail_check(claimed(), "SandboxFault: the engine is gone")
    assert services.claim_check() is None  # not at once
    Version.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    again = claimed()
    assert again.attempt == 2
    assert services.finish_check(again, services.Finding(""), passed=True)
    assert Report.objects.get().reason == ""


def test_a_check_whose_worker_was_lost_is_claimed_again(upload: Upload, settings: Settings) -> None:
    settings.LEASE = timedelta(seconds=-1)
    upload("Bishop")
    lost, again = claimed(), claimed()
    assert again.attempt == 2
    assert not services.finish_check(lost, services.Finding("late"), passed=False)
    assert services.finish_check(again, services.Finding(""), passed=True)
    assert status(again) == ACTIVE


def test_the_sweep_rings_for_checks_that_have_no_message(upload: Upload, bells: list[str]) -> None:
    upload("Bishop")
    upload("Rook")
    bells.clear()
    assert services.sweep() == 2
    assert services.sweep() == 2
    assert bells == [doorbell.CHECK] * 2  # not two more each time
