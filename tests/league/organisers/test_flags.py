from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.accounts.models import User
from league.bots import house
from league.bots.models import Version
from league.matches.models import Match
from league.organisers import fingerprints, flags, services, tasks
from league.organisers.fingerprints import fingerprint
from league.organisers.models import Act, Fingerprint, Flag
from league.tournaments import services as tournaments

Upload = Callable[..., Version]
CODE = b"class Bot:\n    def play(self, seen):\n        return seen.legal_plays[0]\n"
SAME = [
    CODE + b"\n\n# mine\n",
    b"# -*- coding: utf-8 -*-\n" + CODE,
    CODE.replace(b"    ", b"\t"),
    CODE.replace(b"\n", b"\r\n"),
    CODE.replace(b"(self, seen)", b"( self,seen ) "),
    b"\xef\xbb\xbf" + CODE,
    CODE.rstrip(),
]
OTHER = [CODE.replace(b"[0]", b"[1]"), CODE.replace(b"seen", b"view"), CODE + b"x = '# mine'\n"]


@pytest.mark.parametrize("content", SAME)
def test_comments_and_blank_space_leave_no_trace(content: bytes) -> None:
    assert fingerprint(content) == fingerprint(CODE) != ""


@pytest.mark.parametrize("content", OTHER)
def test_other_code_has_another_fingerprint(content: bytes) -> None:
    assert fingerprint(content) not in ("", fingerprint(CODE))


@pytest.mark.parametrize(
    "content", [b"", b"# nothing\n", b"x = (\n", b"if x:\n    y\n  z\n", b"# coding: latin-9999\n", b"'''", b"\xff\xfe"]
)
def test_what_is_no_python_has_none(content: bytes) -> None:
    assert fingerprint(content) == ""


def owned(upload: Upload, name: str, content: bytes, owner: str = "", **more: Any) -> Version:
    who = {"owner": User.objects.get_or_create(username=owner)[0]} if owner else {}
    return upload(name, content, **who, **more)


def test_the_same_code_under_two_owners_is_flagged(upload: Upload) -> None:
    first = owned(upload, "Rook", CODE)
    second = owned(upload, "King", SAME[0], "eve")
    owned(upload, "Pawn", OTHER[0], "bob")
    owned(upload, "Queen", SAME[1])  # of the same owner as the first
    assert flags.look_for_all() == 1
    flag = Flag.objects.get()
    assert (flag.kind, flag.key) == ("code", fingerprint(CODE))
    assert {first, second} < set(flag.versions.all())
    assert Fingerprint.objects.count() == 4
    assert flags.look_for_all() == 0


def test_the_same_file_is_flagged_once(upload: Upload) -> None:
    both = {owned(upload, "Rook", CODE), owned(upload, "King", CODE, "eve")}
    assert flags.look_for_all() == 1
    flag = Flag.objects.get()
    assert (flag.kind, set(flag.versions.all())) == ("file", both)


def test_ones_own_code_and_the_platforms_are_not_flagged(upload: Upload) -> None:
    house.upload()
    owned(upload, "Rook", CODE)
    owned(upload, "King", CODE)
    taken = bytes(Version.objects.filter(bot__owner__username="house")[0].source.content)
    owned(upload, "Copy", taken, "eve")
    assert flags.look_for_all() == 0


def test_archives_and_broken_sources_have_no_code_in_common(upload: Upload) -> None:
    for name, owner in (("Rook", ""), ("King", "eve")):
        owned(upload, name, b"x = (\n# " + name.encode(), owner)
        owned(upload, f"{name} Z", b"PK\x03\x04" + name.encode(), owner, filename="bot.zip")
    assert flags.look_for_all() == 0
    assert list(Fingerprint.objects.values_list("sha256", flat=True)) == ["", ""]


def test_a_flag_comes_back_when_another_author_joins(upload: Upload, judge: User) -> None:
    owned(upload, "Rook", CODE)
    owned(upload, "King", CODE, "eve")
    flags.look_for_all()
    services.look(judge, Flag.objects.get(), "two of a school", None)
    owned(upload, "Queen", SAME[0], "eve")
    flags.look_for_all()
    assert Flag.objects.get(kind="file").looked_at is not None
    owned(upload, "Pawn", CODE, "bob")
    assert flags.look_for_all() >= 1
    flag = Flag.objects.get(kind="file")
    assert (flag.looked_at, flag.note) == (None, "two of a school")


@pytest.fixture
def thrown(activate: Upload) -> tuple[Version, Version]:
    """A ladder of twelve bots, the second of which lost to the first on purpose."""
    author = User.objects.create_user("eve", bots_allowed=20)
    versions = [activate(f"Bot {number}", owner=author) for number in range(12)]
    chance = Random(6)
    for match in Match.objects.all():
        a, b = (sum(round(chance.gauss(30, 14)) for _ in range(12)) for _ in range(2))
        if {match.version_a_id, match.version_b_id} == {versions[0].pk, versions[1].pk}:
            a, b = 600, 90
        outcome = "A" if a > b else "B" if b > a else "draw"
        Match.objects.filter(pk=match.pk).update(
            status="played",
            finished_at=timezone.now(),
            outcome=outcome,
            points_a=a,
            points_b=b,
            termination="completed",
        )
    return versions[0], versions[1]


def test_a_pair_that_stands_out_is_flagged_once(thrown: tuple[Version, Version]) -> None:
    ladder = tournaments.ladder()
    assert [flags.flag_results(ladder) for _ in range(2)] == [1, 0]
    flag = Flag.objects.get()
    assert (flag.kind, flag.tournament, set(flag.versions.all())) == ("result", ladder, set(thrown))
    assert flag.details["difference"] == 510


def test_a_flag_is_looked_at_with_a_note(
    thrown: tuple[Version, Version],
    judge: User,
    client: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client.force_login(judge)
    tasks.look()
    flag = Flag.objects.get()
    with django_assert_max_num_queries(5):
        assert "Bot 0</span> – <span" in client.get("/organise/flags/").content.decode()
    address = f"/organise/flags/{flag.pk}/"
    with django_assert_max_num_queries(7):
        page = client.get(address).content.decode()
    assert f"/matches/{Match.objects.get(points_a=600).pk}/" in page
    assert client.post(address, {"note": "they are <friends>"}).status_code == 302
    assert "they are &lt;friends&gt;" in client.get("/organise/flags/?show=looked").content.decode()
    assert "Bot 0" not in client.get("/organise/flags/").content.decode()
    act = Act.objects.get()
    assert (act.action, act.reason, act.details["flag"]) == ("look", "they are <friends>", flag.pk)
    answer = client.post(address, {"note": "as if it were the first note"})
    assert answer.status_code == 400
    assert "Somebody else has looked at it meanwhile" in answer.content.decode()
    flag.refresh_from_db()
    assert flag.looked_at is not None
    again = {"note": "friends indeed", "seen": flag.looked_at.isoformat()}
    assert client.post(address, again).status_code == 302


def test_a_note_is_asked_for(judge: User) -> None:
    flag = Flag.objects.create(kind="file", key="0")
    services.look(judge, flag, "a", None)
    with pytest.raises(ValidationError):
        services.look(judge, flag, "b", None)
    assert Flag.objects.get().note == "a"


def test_a_flag_outlives_its_bots(judge: User, client: Client) -> None:
    client.force_login(judge)
    flag = Flag.objects.create(kind="result", key="1-2-3", details={"p_value": "damaged"})
    assert "a deleted bot" in client.get("/organise/flags/").content.decode()
    assert "They are deleted." in client.get(f"/organise/flags/{flag.pk}/").content.decode()


def test_an_organiser_has_a_worker_look_at_once(judge: User, client: Client, bells: list[str]) -> None:
    client.force_login(judge)
    assert client.post("/organise/flags/look/").status_code == 302
    assert bells == [tasks.LOOK]


def test_sources_that_have_a_fingerprint_are_not_read_again(
    upload: Upload, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    owned(upload, "Rook", CODE)
    assert fingerprints.take_missing() == 1
    with django_assert_max_num_queries(1):
        assert fingerprints.take_missing() == 0
