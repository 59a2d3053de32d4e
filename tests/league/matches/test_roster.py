from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError

from league.accounts.models import User
from league.bots import services as bots
from league.bots.findings import Finding
from league.bots.models import Bot, Report, Source, Version
from league.matches import pairing, roster, services
from league.matches.models import Log, Match
from league.standings.models import Standing
from league.tournaments.models import Entry

Activate = Callable[..., Version]
OTHER = b"class Bot:\n    def play(self, observation):\n        return ()\n"


def statuses(bot: Bot) -> list[str]:
    return list(bot.versions.order_by("number").values_list("status", flat=True))


def check() -> bool:
    held = bots.claim_check()
    assert held is not None
    return pairing.admit(held, Finding(""))


def test_a_version_rolled_back_to_takes_up_its_cancelled_matches(activate: Activate) -> None:
    first = activate("Pawn")
    activate("Rook")
    activate("Pawn", OTHER)
    old, new = Match.objects.order_by("pk")
    assert (old.status, new.status) == ("cancelled", "queued")
    roster.roll_back(first)
    old, new = Match.objects.order_by("pk")
    assert (old.status, new.status) == ("queued", "cancelled")
    assert statuses(first.bot) == ["active", "superseded"]
    assert Entry.objects.get(bot=first.bot).version == first


def test_results_of_a_version_rolled_back_to_count_again(
    activate: Activate, play_all: Callable[..., list[Match]]
) -> None:
    first = activate("Pawn")
    activate("Rook")
    play_all()
    second = activate("Pawn", OTHER)
    play_all()
    roster.roll_back(first)
    assert play_all() == []  # nothing is played twice
    assert Standing.objects.get(version=first).played == 1
    assert not Standing.objects.filter(version=second).exists()


def test_a_roll_back_in_the_middle_of_a_match_ends_its_part_and_each_match_names_its_version(
    activate: Activate, played: Callable[..., object]
) -> None:
    first = activate("Pawn")
    activate("Rook")
    second = activate("Pawn", OTHER)
    running = services.claim("w")
    assert running is not None
    assert second in (running.version_a, running.version_b)
    roster.roll_back(first)
    assert not services.extend(running, 1)
    assert Match.objects.get(pk=running.pk).status == "cancelled"
    again = services.claim("w")
    assert again is not None
    assert first in (again.version_a, again.version_b)


def test_a_version_that_is_still_checked_gives_way_to_a_roll_back(activate: Activate, upload: Activate) -> None:
    first = activate("Pawn")
    activate("Pawn", OTHER)
    upload("Pawn", OTHER + b"# 3\n")
    held = bots.claim_check()
    assert held is not None
    roster.roll_back(first)
    assert not pairing.admit(held, Finding(""))
    assert statuses(first.bot) == ["active", "superseded", "superseded"]


def test_only_what_passed_its_check_is_rolled_back_to(activate: Activate, upload: Activate) -> None:
    active = activate("Pawn")
    given_way = upload("Pawn", OTHER)
    failed = upload("Pawn", OTHER + b"# 3\n")
    held = bots.claim_check()
    assert held == failed
    bots.finish_check(held, Finding("no"), passed=False)
    for version in (given_way, failed, active):
        with pytest.raises(ValidationError, match="passed its check"):
            roster.roll_back(version)
    assert statuses(active.bot) == ["active", "superseded", "rejected"]
    assert Entry.objects.get().version == active


def test_a_retired_bot_neither_plays_nor_takes_new_versions(queued: Match, author: User) -> None:
    bot = queued.version_a.bot
    roster.retire(bot)
    assert Match.objects.get().status == "cancelled"
    assert not Entry.objects.filter(bot=bot).exists()
    with pytest.raises(ValidationError, match="is retired: let it come back"):
        bots.submit(author, bot, "bot.py", OTHER)
    with pytest.raises(ValidationError, match="is retired: let it come back"):
        bots.submit(author, "bishop", "bot.py", OTHER)


def test_a_version_that_passes_after_its_bot_retired_waits_for_its_return(activate: Activate, upload: Activate) -> None:
    activate("Rook")
    bot = upload("Pawn").bot
    roster.retire(bot)
    assert check()
    assert statuses(bot) == ["active"]
    assert not Match.objects.exists()
    roster.come_back(bot)
    assert Match.objects.get().status == "queued"


def test_retiring_and_coming_back_twice_changes_nothing(queued: Match) -> None:
    bot = queued.version_a.bot
    roster.come_back(bot)
    assert Match.objects.get().status == "queued"
    for _ in range(2):
        roster.retire(bot)
    for _ in range(2):
        roster.come_back(bot)
    assert Match.objects.get().status == "queued"


def test_a_deleted_bot_keeps_its_name_and_matches_and_nothing_else(
    queued: Match, play_all: Callable[..., list[Match]], author: User
) -> None:
    (match,) = play_all()
    bot, other = match.version_a.bot, match.version_b.bot
    bots.submit(author, bot, "bot.py", OTHER, "a note")
    left = bots.bots_left(author)
    roster.delete(bot)
    assert statuses(bot) == ["superseded", "superseded"]
    assert not Source.objects.filter(version__bot=bot).exists()
    assert not Report.objects.filter(version__bot=bot).exists()
    assert set(bot.versions.values_list("message", flat=True)) == {""}
    assert set(Log.objects.values_list("seat", flat=True)) == {"B"}
    assert Source.objects.filter(version__bot=other).exists()
    assert Match.objects.get().status == "played"
    assert bots.bots_left(author) == left + 1
    with pytest.raises(ValidationError, match="its matches keep the name"):
        bots.submit(author, "Bishop", "bot.py", OTHER)
    for act in (roster.come_back, roster.retire):
        act(bot)
    with pytest.raises(ValidationError, match="was deleted"):
        roster.roll_back(match.version_a)


def test_a_bot_deleted_before_its_first_match_leaves_its_name_free(upload: Activate) -> None:
    bot = upload("Pawn").bot
    held = bots.claim_check()
    assert held is not None
    roster.delete(bot)
    assert not Bot.objects.exists()
    assert upload("pawn").number == 1


def test_a_check_of_a_version_that_is_deleted_meanwhile_comes_to_nothing(activate: Activate, upload: Activate) -> None:
    activate("Pawn")
    activate("Rook")
    upload("Pawn", OTHER)
    held = bots.claim_check()
    assert held is not None
    roster.delete(held.bot)
    assert not pairing.admit(held, Finding(""))
    assert not Report.objects.filter(version=held).exists()


def test_a_name_given_up_is_free_again(activate: Activate, upload: Activate) -> None:
    bot = activate("Pawn").bot
    bots.rename(bot, " Queen ")
    bots.rename(bot, "QUEEN")  # its own name in another case
    assert Bot.objects.get().name == "QUEEN"
    assert upload("Pawn").bot != bot
    with pytest.raises(ValidationError, match="There is a bot named pawn already"):
        bots.rename(bot, "pawn")
    with pytest.raises(ValidationError, match="can't be seen"):
        bots.rename(bot, "a\u202eb")
