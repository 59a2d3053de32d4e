from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots.models import Bot
from league.matches.models import Match
from league.organisers import services
from league.organisers.acts import Search, record_act
from league.organisers.models import Act
from league.tournaments import services as tournaments
from league.tournaments.models import Disqualification


def test_an_act_keeps_names_beside_what_may_be_renamed_or_deleted(judge: User) -> None:
    bot = Bot.objects.create(owner=judge, name="Rook")
    act = record_act(judge, Act.Action.DISQUALIFY, bot=bot, tournament=tournaments.ladder(), reason="two of one\n")
    bot.delete()
    User.objects.filter(pk=judge.pk).delete()
    act.refresh_from_db()
    assert (act.actor, act.bot) == (None, None)
    assert (act.actor_name, act.about, act.reason) == ("judge", "Rook, Open ladder", "two of one")


def test_what_is_refused_leaves_no_act(judge: User, league: list[Match]) -> None:
    services.annul(judge, league[0], "played by hand")
    with pytest.raises(ValidationError, match="annulled already"):
        services.annul(judge, league[0], "once more")
    assert [act.reason for act in Act.objects.all()] == ["played by hand"]


def test_what_is_undone_leaves_no_act(judge: User, league: list[Match], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("the log is full")

    monkeypatch.setattr(services, "record_act", fail)
    with pytest.raises(RuntimeError):
        services.disqualify(judge, tournaments.ladder(), league[0].version_a.bot, "two of one")
    assert not Act.objects.exists()
    assert not Disqualification.objects.exists()


@pytest.fixture
def acts(judge: User) -> list[Act]:
    eve = User.objects.create_user("eve", is_staff=True)
    bots = [Bot.objects.create(owner=eve, name=name) for name in ("Rook", "King")]
    return [
        record_act(judge, Act.Action.DISQUALIFY, bot=bots[0], tournament=tournaments.ladder(), reason="two of one"),
        record_act(eve, Act.Action.REINSTATE, bot=bots[0], tournament=tournaments.ladder()),
        record_act(eve, Act.Action.DISQUALIFY, bot=bots[1], reason="a stolen source"),
        record_act(None, Act.Action.CLOSE_SEASON, tournament=tournaments.ladder()),
    ]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        (Search(), [3, 2, 1, 0]),
        (Search(action="disqualify"), [2, 0]),
        (Search(actor="EVE"), [2, 1]),
        (Search(bot="rook"), [1, 0]),
        (Search(tournament="ladder"), [3, 1, 0]),
        (Search(text="stolen"), [2]),
        (Search(text="King"), [2]),
        (Search(action="disqualify", actor="eve"), [2]),
        (Search(since=date(2100, 1, 1)), []),
        (Search(until=date(2100, 1, 1)), [3, 2, 1, 0]),
    ],
)
def test_the_log_is_searched(acts: list[Act], search: Search, found: list[int]) -> None:
    assert list(search.found()) == [acts[index] for index in found]


def test_a_day_ends_with_it(acts: list[Act]) -> None:
    today = timezone.now().date()
    Act.objects.filter(pk=acts[0].pk).update(at=timezone.now() - timedelta(days=1))
    assert list(Search(until=today - timedelta(days=1)).found()) == [acts[0]]
    assert acts[0] not in Search(since=today).found()


def test_the_log_goes_on_where_a_page_ends(
    judge: User, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(judge)
    bot = Bot.objects.create(owner=judge, name="Rook")
    all_acts = [record_act(judge, Act.Action.ANNUL, bot=bot, reason=f"reason {number}.") for number in range(60)]
    with django_assert_max_num_queries(5):
        page = client.get("/organise/log/?action=annul").content.decode()
    assert "reason 59." in page
    assert "reason 9." not in page
    assert f"before={all_acts[10].pk}" in page
    older = client.get(f"/organise/log/?action=annul&before={all_acts[10].pk}").content.decode()
    assert "reason 9." in older
    assert "reason 10." not in older


@pytest.mark.parametrize("query", ["since=soon", "action=rule", "before=x", "tournament=nowhere", "actor=" + "x" * 200])
def test_a_wrong_search_says_so(judge: User, client: Client, query: str) -> None:
    client.force_login(judge)
    assert client.get(f"/organise/log/?{query}").status_code == 400


def test_nobody_changes_an_act(client: Client, acts: list[Act]) -> None:
    client.force_login(User.objects.create_superuser("root"))
    address = reverse("admin:organisers_act_change", args=[acts[0].pk])
    assert client.get(address).status_code == 200
    assert client.post(address, {"reason": "another"}).status_code == 403
    assert client.post(reverse("admin:organisers_act_delete", args=[acts[0].pk])).status_code == 403
    assert client.get(reverse("admin:organisers_act_add")).status_code == 403
