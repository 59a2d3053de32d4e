from __future__ import annotations

import gzip

import pytest
from django.test import Client


@pytest.mark.django_db
def test_pages_are_sent_compressed_to_browsers_that_take_it(client: Client) -> None:
    packed = client.get("/guide/", headers={"Accept-Encoding": "gzip, deflate, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    page = gzip.decompress(packed.content)
    assert page.endswith(b"</html>\n")
    assert len(packed.content) < len(page) / 2
    assert "Content-Encoding" not in client.get("/guide/").headers
