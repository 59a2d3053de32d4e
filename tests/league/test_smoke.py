"""The walk through a running site, as far as it goes without a worker."""

from __future__ import annotations

import httpx
import pytest
from django.test import Client

from league.bots.models import Source, Version
from scripts import smoke


def site() -> httpx.Client:
    """A client of the site in this process, which keeps its cookies on the other side."""
    browser = Client(enforce_csrf_checks=True)

    def answer(request: httpx.Request) -> httpx.Response:
        path, content_type = request.url.raw_path.decode(), request.headers.get("Content-Type", "")
        passed = {name: value for name, value in request.headers.items() if name in ("authorization", "referer")}
        told = browser.generic(request.method, path, request.read(), content_type, headers=passed)
        return httpx.Response(told.status_code, headers=dict(told.items()), content=told.content)

    return httpx.Client(transport=httpx.MockTransport(answer), base_url="http://testserver")


def test_where_nothing_answers_it_ends_with_the_reason(capfd: pytest.CaptureFixture[str]) -> None:
    assert smoke.main(["http://127.0.0.1:1"]) == 1
    assert capfd.readouterr().err.startswith("smoke: http://127.0.0.1:1 failed: ")


def test_a_site_without_its_static_files_is_no_site_for_the_public() -> None:
    plain = httpx.MockTransport(lambda request: httpx.Response(200, text='<link rel="stylesheet" href="/site.css">'))
    with httpx.Client(transport=plain, base_url="http://arena") as client, pytest.raises(smoke.Stumble) as stumbled:
        smoke.go(smoke.Visitor(client, 0))
    assert "collectstatic" in str(stumbled.value)


@pytest.mark.django_db
def test_a_visitor_signs_up_uploads_waits_and_leaves() -> None:
    with site() as client:
        visitor = smoke.Visitor(client, patience_s=0)
        visitor.sign_up()
        assert visitor.ask("/me")["name"] == visitor.name
        version = smoke.upload(visitor)
        assert bytes(Source.objects.get(version=version).content) == smoke.EXAMPLE.read_bytes()
        with pytest.raises(smoke.Stumble, match="the check of the upload: not within 0 s"):
            smoke.await_check(visitor, version)
        with pytest.raises(smoke.Stumble, match=r"POST .*/accounts/close/: 400: This is not your password\."):
            visitor.send("/accounts/close/", {"password": "another"})
        visitor.leave()
    assert not Version.objects.exists()
