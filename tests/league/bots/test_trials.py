from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from league import doorbell
from league.accounts.models import User
from league.bots import services, trials
from league.bots.findings import Finding
from league.bots.models import Bot, Trial, Version

BOT = b"class Bot:\n    def play(self, observation):\n        return ()\n"
HTMX = {"HX-Request": "true"}


def claimed() -> Trial:
    trial = trials.claim()
    assert trial is not None
    return trial


def test_a_trial_waits_for_its_check_and_is_no_version(author: User, bells: list[str]) -> None:
    trial = trials.ask(author, "C:\\x\\bot.py", BOT)
    assert (trial.filename, bytes(trial.content), trial.status) == ("bot.py", BOT, "checking")
    assert bells == [doorbell.CHECK]
    assert not Version.objects.exists()
    assert not Bot.objects.exists()
    assert services.bots_left(author) == 5


def test_what_can_be_no_bot_is_refused_at_once(author: User) -> None:
    with pytest.raises(ValidationError, match="is neither"):
        trials.ask(author, "bot.txt", BOT)
    assert not Trial.objects.exists()


def test_a_newer_trial_supersedes_one_that_waits_or_runs(author: User) -> None:
    first = trials.ask(author, "bot.py", BOT)
    held = claimed()
    second = trials.ask(author, "bot.py", BOT)
    assert Trial.objects.get(pk=first.pk).status == "superseded"
    assert not trials.finish(held, Finding(""), passed=True)
    assert claimed() == second


def test_trials_of_others_are_left_alone(author: User) -> None:
    trials.ask(author, "bot.py", BOT)
    trials.ask(User.objects.create_user("bob"), "bot.py", BOT)
    assert Trial.objects.filter(status="checking").count() == 2


def test_a_finished_trial_keeps_what_was_found_and_lets_go_of_the_upload(author: User) -> None:
    trials.ask(author, "bot.py", BOT)
    held = claimed()
    assert trials.finish(held, Finding("no\0idea", "trace", "\ud800"), passed=False)
    assert not trials.finish(held, Finding(""), passed=True)
    trial = Trial.objects.get()
    assert (trial.status, trial.reason, trial.output) == ("failed", "no␀idea", "\\ud800")
    assert bytes(trial.content) == b""


def test_a_platform_fault_is_tried_again_and_never_a_failure(author: User) -> None:
    trials.ask(author, "bot.py", BOT)
    assert trials.fail(claimed(), "SandboxFault: the engine is gone")
    assert trials.claim() is None  # not at once
    Trial.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    again = claimed()
    assert (again.attempt, again.status) == (2, "checking")
    assert again.reason == "SandboxFault: the engine is gone"


def test_the_sweep_rings_for_trials_and_clears_those_of_yesterday(author: User, bells: list[str]) -> None:
    old = trials.ask(author, "bot.py", BOT)
    Trial.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(hours=25))
    new = trials.ask(author, "bot.py", BOT)
    bells.clear()
    assert services.sweep() == 1
    assert Trial.objects.get() == new
    assert bells == [doorbell.CHECK]


def test_no_more_than_a_few_are_kept_for_an_author(author: User) -> None:
    for _ in range(trials.MOST_PER_OWNER + 3):
        trials.ask(author, "bot.py", BOT)
    assert Trial.objects.count() == trials.MOST_PER_OWNER


def ask(browser: Client, headers: dict[str, str] | None = None, **fields: Any) -> Any:
    return browser.post("/bots/trials/", fields, headers=headers)


def test_the_check_button_answers_with_the_state_that_asks_for_itself(people: dict[str, Client]) -> None:
    answer = ask(people["owner"], HTMX, how="code", code="class Bot: ...\r\n", name="")
    trial = Trial.objects.get()
    assert bytes(trial.content) == b"class Bot: ...\n"
    assert f'hx-get="/bots/trials/{trial.pk}/"' in answer.content.decode()
    assert "<html" not in answer.content.decode()


def test_without_script_the_check_has_a_page_of_its_own(people: dict[str, Client]) -> None:
    answer = ask(people["owner"], how="file", file=SimpleUploadedFile("bot.py", BOT))
    address = f"/bots/trials/{Trial.objects.get().pk}/"
    assert answer["Location"] == address
    assert "Queued" in people["owner"].get(address).content.decode()


def test_a_refused_trial_says_why(people: dict[str, Client]) -> None:
    for headers in (HTMX, None):
        answer = ask(people["owner"], headers, how="code", code="\0", file="")
        assert answer.status_code == 400
    answer = ask(people["owner"], HTMX, how="file", file=SimpleUploadedFile("bot.txt", BOT))
    assert "neither a .py nor a .zip" in answer.content.decode()
    answer = ask(people["owner"], HTMX, how="code", code="")
    assert "Write the bot." in answer.content.decode()


@pytest.mark.parametrize(("visitor", "status"), [("anonymous", 302), ("other", 403), ("owner", 200), ("staff", 200)])
def test_a_trial_is_for_its_author_and_staff(
    people: dict[str, Client], author: User, visitor: str, status: int
) -> None:
    trials.ask(author, "bot.py", BOT)
    trials.finish(claimed(), Finding("the reason", "the traceback", "the output"), passed=False)
    answer = people[visitor].get(f"/bots/trials/{Trial.objects.get().pk}/")
    assert answer.status_code == status
    if status == 200:
        assert "no-store" in answer["Cache-Control"]
    for secret in ("The reason", "the traceback", "the output", "arena check bot.py"):
        assert (secret in answer.content.decode()) == (status == 200)
