import json
from pathlib import Path

import pytest

from arena.cli import credentials
from arena.cli.credentials import Login
from arena.cli.failure import Failure

LOGIN = Login("https://arena.example.org", "arena_abc")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the login is kept, in a home without one."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("ARENA_URL", "ARENA_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "config/candidate-arena"


def test_a_login_is_kept_for_the_users_eyes_alone(folder: Path) -> None:
    assert credentials.save(LOGIN) == folder / "login.json"
    assert credentials.load() == LOGIN
    assert (folder / "login.json").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == ["login.json"]


def test_a_new_login_takes_the_place_of_a_file_that_others_may_read(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "login.json").write_text("{}")
    (folder / "login.json").chmod(0o644)
    credentials.save(LOGIN)
    assert (folder / "login.json").stat().st_mode & 0o777 == 0o600


def test_logging_out_forgets_it_once() -> None:
    credentials.save(LOGIN)
    assert credentials.forget()
    assert not credentials.forget()
    with pytest.raises(Failure, match="no site is known: run arena login"):
        credentials.load()


def test_the_environment_goes_before_what_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    credentials.save(LOGIN)
    monkeypatch.setenv("ARENA_TOKEN", "arena_other")
    assert credentials.load() == Login(LOGIN.url, "arena_other")
    monkeypatch.setenv("ARENA_URL", "http://localhost:9000/")
    assert credentials.load() == Login("http://localhost:9000", "arena_other")


def test_a_stored_token_goes_to_no_other_site(monkeypatch: pytest.MonkeyPatch) -> None:
    credentials.save(LOGIN)
    monkeypatch.setenv("ARENA_URL", "https://elsewhere.example")
    assert credentials.load() == Login("https://elsewhere.example", "")
    monkeypatch.setenv("ARENA_URL", f"{LOGIN.url}/")
    assert credentials.load() == LOGIN


def test_the_usual_site_is_the_last_one_or_the_local_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert credentials.usual_url() == "http://127.0.0.1:8000"
    credentials.save(LOGIN)
    assert credentials.usual_url() == LOGIN.url
    (folder / "login.json").write_text("damaged")
    assert credentials.usual_url() == "http://127.0.0.1:8000"
    monkeypatch.setenv("ARENA_URL", "http://localhost:9000")
    assert credentials.usual_url() == "http://localhost:9000"


@pytest.mark.parametrize(
    "written",
    [
        "",
        "[]",
        "{}",
        '{"url": 7, "token": "arena_abc"}',
        json.dumps({"url": LOGIN.url, "token": "two words"}),
        "\ud800",
    ],
)
def test_a_damaged_login_is_named_with_what_to_do(folder: Path, written: str) -> None:
    folder.mkdir(parents=True)
    (folder / "login.json").write_bytes(written.encode(errors="surrogatepass"))
    with pytest.raises(Failure, match=r"login\.json: not a login; run arena login again"):
        credentials.load()


@pytest.mark.parametrize(
    "text", ["", "arena", "ftp://arena", "http://", "http://a b", "https://a:x", "http://[", "http://\0"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(Failure, match="expected the address of a site"):
        credentials.checked_url(text)


@pytest.mark.parametrize("text", ["", "two words", "new\nline", "é"])
def test_what_can_not_be_a_token_is_refused_without_being_shown(text: str) -> None:
    with pytest.raises(Failure, match="expected a token") as refused:
        credentials.checked_token(text)
    assert not text or text not in str(refused.value)


def test_a_folder_that_can_not_be_written_is_named(folder: Path) -> None:
    folder.parent.write_text("a file where a folder should be")
    with pytest.raises(Failure, match=r"login\.json: "):
        credentials.save(LOGIN)
