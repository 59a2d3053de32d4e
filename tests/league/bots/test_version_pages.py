from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots import services
from league.bots.models import Version
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
    assert "the engine is gone" in people["owner"].get(address).content.decode()
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
