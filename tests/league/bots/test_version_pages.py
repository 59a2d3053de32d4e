from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from arena.replay import Record
from league.accounts.models import User
from league.bots import holding, services
from league.bots.models import Report, Version
from league.bots.services import Finding

FINDING = Finding("the reason it failed", "the traceback of it", "the output of it")
SECRETS = (FINDING.reason, FINDING.traceback, FINDING.output, "note to myself", "my_bot.py")


@pytest.fixture
def rejected(upload: Callable[..., Version]) -> Version:
    upload(message="note to myself", filename="my_bot.py")
    version = services.claim_check()
    assert version is not None
    assert services.finish_check(version, FINDING, passed=False)
    return version


@pytest.mark.parametrize(
    ("visitor", "sees"), [("anonymous", False), ("other", False), ("owner", True), ("staff", True)]
)
def test_reason_traceback_and_output_are_for_owner_and_staff(
    rejected: Version, people: dict[str, Client], visitor: str, sees: bool
) -> None:
    answer = people[visitor].get(f"/bots/versions/{rejected.pk}/")
    page = answer.content.decode()
    assert "Rejected" in page
    assert [secret.lower() in page.lower() for secret in SECRETS] == [sees] * len(SECRETS)
    assert "private" in answer["Cache-Control"]
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(("visitor", "status"), [("anonymous", 302), ("other", 403), ("owner", 200), ("staff", 200)])
def test_the_source_is_for_owner_and_staff(
    rejected: Version, people: dict[str, Client], visitor: str, status: int
) -> None:
    answer = people[visitor].get(f"/bots/versions/{rejected.pk}/source/")
    assert answer.status_code == status
    assert (b"class Bot" in answer.content) == (status == 200)


def test_a_source_is_downloaded_never_shown(rejected: Version, people: dict[str, Client]) -> None:
    answer = people["owner"].get(f"/bots/versions/{rejected.pk}/source/")
    assert answer["Content-Type"] == "application/octet-stream"
    assert "no-store" in answer["Cache-Control"]
    assert answer["Content-Disposition"] == f'attachment; filename="bot-{rejected.pk}.py"'


def test_a_waiting_version_says_how_many_come_first(upload: Callable[..., Version], client: Client) -> None:
    upload("Pawn")
    second = upload("Rook")
    page = client.get(f"/bots/versions/{second.pk}/").content.decode()
    assert "Queued" in page
    assert "1 check comes before it." in page
    assert f'hx-get="/bots/versions/{second.pk}/"' in page


def test_a_version_in_its_check_says_so(upload: Callable[..., Version], client: Client) -> None:
    version = upload()
    services.claim_check()
    assert "Checking" in client.get(f"/bots/versions/{version.pk}/").content.decode()


def test_the_poll_gets_the_state_alone_until_it_is_decided(
    upload: Callable[..., Version], people: dict[str, Client]
) -> None:
    version = upload()
    address, poll = f"/bots/versions/{version.pk}/", {"HX-Request": "true"}
    part = people["owner"].get(address, headers=poll)
    assert "<html" not in part.content.decode()
    claimed = services.claim_check()
    assert claimed is not None
    services.finish_check(claimed, Finding(""), passed=True)
    assert people["owner"].get(address, headers=poll)["HX-Refresh"] == "true"


def test_an_active_version_leads_to_its_matches(activate: Callable[..., Version], client: Client) -> None:
    version = activate()
    page = client.get(f"/bots/versions/{version.pk}/").content.decode()
    assert "It passed its check" in page
    assert f"/matches/?bot={version.bot.name}" in page


def test_a_failed_version_says_which_one_stays(
    activate: Callable[..., Version], upload: Callable[..., Version], client: Client
) -> None:
    activate("Pawn")
    upload("Pawn", b"class Bot: pass\n")
    failed = services.claim_check()
    assert failed is not None
    services.finish_check(failed, FINDING, passed=False)
    assert "Version 1 stays active." in client.get(f"/bots/versions/{failed.pk}/").content.decode()


def test_a_superseded_version_names_the_one_in_its_place(activate: Callable[..., Version], client: Client) -> None:
    first = activate("Pawn")
    activate("Pawn", b"class Bot: pass\n")
    page = client.get(f"/bots/versions/{first.pk}/").content.decode()
    assert "Superseded" in page
    assert "Version 2" in page


def test_a_platform_fault_in_a_check_is_said_to_the_owner(
    upload: Callable[..., Version], people: dict[str, Client]
) -> None:
    version = upload()
    claimed = services.claim_check()
    assert claimed is not None
    services.fail_check(claimed, "the engine is gone")
    address = f"/bots/versions/{version.pk}/"
    told = people["owner"].get(address).content.decode()
    assert "The platform could not finish the check and does it again by itself." in told
    assert "the engine is gone" in told
    assert "the engine is gone" not in people["other"].get(address).content.decode()


def test_logs_are_shown_as_text(upload: Callable[..., Version], people: dict[str, Client]) -> None:
    version = upload()
    claimed = services.claim_check()
    assert claimed is not None
    nasty = "<script>alert(1)</script> \x1b[31mred \u202egnp.exe \0"
    services.finish_check(claimed, Finding(nasty, nasty, nasty), passed=False)
    page = people["owner"].get(f"/bots/versions/{version.pk}/").content.decode()
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert") == 3


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/bots/versions/999/", "/bots/999/", f"/bots/versions/{10**30}/", f"/bots/{10**30}/"])
def test_unknown_ids_are_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_an_unknown_source_is_not_found(people: dict[str, Client], author: User) -> None:
    assert people["staff"].get("/bots/versions/999/source/").status_code == 404


def test_the_page_takes_few_queries(
    rejected: Version, people: dict[str, Client], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(5):
        people["owner"].get(f"/bots/versions/{rejected.pk}/")


@pytest.fixture
def broken_off(upload: Callable[..., Version], played: Callable[..., Record], raiser: type) -> Version:
    """A version that failed at its second decision."""
    upload(filename="my bot.py")
    held = services.claim_check()
    assert held is not None
    record = played(bots=(raiser, Layer))
    finding = Finding(record.outcome.reason, "the traceback", "", record)
    assert services.finish_check(held, finding, passed=False)
    return held


class Layer:
    def play(self, observation: Any) -> Any:
        return observation.legal_plays[-1]


def test_the_author_reads_what_the_bot_saw_and_how_to_run_it_at_home(
    broken_off: Version, people: dict[str, Client]
) -> None:
    page = people["owner"].get(f"/bots/versions/{broken_off.pk}/").content.decode()
    assert "What it saw" in page
    assert page.count('class="card card-') >= 6
    assert "Legal plays" in page
    assert "arena check &#x27;my bot.py&#x27;" in page
    assert "What it saw" not in people["other"].get(f"/bots/versions/{broken_off.pk}/").content.decode()


def test_a_version_that_passed_shows_the_score_of_its_check(
    upload: Callable[..., Version], played: Callable[..., Record], people: dict[str, Client]
) -> None:
    version = upload()
    held = services.claim_check()
    assert held is not None
    record = played()
    services.finish_check(held, Finding("", record=record), passed=True)
    page = people["owner"].get(f"/bots/versions/{version.pk}/").content.decode()
    assert f"{record.points[0]} : {record.points[1]} points" in page


def test_a_record_that_can_not_be_read_any_more_leaves_the_rest(broken_off: Version, people: dict[str, Client]) -> None:
    Report.objects.update(record=b"rubbish")
    page = people["owner"].get(f"/bots/versions/{broken_off.pk}/").content.decode()
    assert "the traceback" in page
    assert "What it saw" not in page


def test_a_waiting_version_says_how_long_it_may_take(upload: Callable[..., Version], client: Client) -> None:
    upload("Pawn")
    assert services.seconds_a_check() is None
    held = services.claim_check()
    assert held is not None
    services.finish_check(held, Finding(""), passed=True)
    ended = timezone.now()
    Version.objects.filter(pk=held.pk).update(started_at=ended - timedelta(seconds=4), checked_at=ended)
    upload("Rook")
    last = upload("King")
    assert "may take 8 seconds" in client.get(f"/bots/versions/{last.pk}/").content.decode()


def test_games_of_a_running_check_are_shown_as_they_end(upload: Callable[..., Version], client: Client) -> None:
    version = upload()
    held = services.claim_check()
    assert held is not None
    assert "plays its first game" in client.get(f"/bots/versions/{version.pk}/").content.decode()
    assert holding.extend(held, 1)
    assert "1 of 2 games finished" in client.get(f"/bots/versions/{version.pk}/").content.decode()


def test_changes_are_read_as_text(upload: Callable[..., Version], people: dict[str, Client]) -> None:
    upload(content=b"class Bot: ...\n# <i>\n")
    second = upload(content=b"class Bot: ...\n# <b>\x1b\n")
    page = people["owner"].get(f"/bots/versions/{second.pk}/changes/").content.decode()
    assert "Changes since version 1" in page
    assert '<td class="diff-text"># &lt;i&gt;</td>' in page
    assert '<td class="diff-text"># &lt;b&gt;␛</td>' in page
    assert '<span class="change-new">+1</span>' in page


@pytest.mark.parametrize(
    ("number", "query", "status"), [(1, "", 404), (2, "?since=1", 200), (2, "?since=2", 404), (2, "?since=x", 400)]
)
def test_changes_are_against_another_version_of_the_bot(
    upload: Callable[..., Version], people: dict[str, Client], number: int, query: str, status: int
) -> None:
    versions = {1: upload(content=b"class Bot: ...\n"), 2: upload(content=b"class Bot: pass\n")}
    assert people["owner"].get(f"/bots/versions/{versions[number].pk}/changes/{query}").status_code == status


def test_archives_are_not_unpacked_to_be_compared(upload: Callable[..., Version], people: dict[str, Client]) -> None:
    upload(content=b"PK\x03\x04 one", filename="bot.zip")
    second = upload(content=b"PK\x03\x04 two", filename="bot.zip")
    page = people["owner"].get(f"/bots/versions/{second.pk}/changes/").content.decode()
    assert "Archives are not unpacked here" in page
