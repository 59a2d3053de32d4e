from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import transaction
from kombu.entity import Queue

from league import doorbell
from league.bots import services as bots
from league.bots.models import Version
from league.celery import app
from league.operations import broker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bells() -> None:
    """The real ones, instead of those of all other tests."""


@pytest.fixture
def no_broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.conf, "broker_url", f"redis+socket://{tmp_path}/none.sock")
    monkeypatch.setitem(app.conf, "broker_write_url", f"redis+socket://{tmp_path}/none.sock")


@pytest.fixture
def real_broker(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Popen[bytes] | None]:
    folder = tmp_path_factory.mktemp("b")
    url = f"redis+socket://{folder}/b.sock"
    monkeypatch.setitem(app.conf, "broker_url", url)
    monkeypatch.setitem(app.conf, "broker_write_url", url)
    with broker.running(folder / "b.sock", folder / "data") as server:
        yield server


@pytest.mark.usefixtures("real_broker")
def test_a_bell_is_heard_once_the_transaction_is_committed() -> None:
    with transaction.atomic():
        doorbell.ring(doorbell.PLAY, times=2)
        assert doorbell._queued(doorbell.PLAY) == 0
    assert doorbell._queued(doorbell.PLAY) == 2
    assert doorbell._queued(doorbell.CHECK) == 0


@pytest.mark.usefixtures("real_broker")
def test_a_bell_of_a_transaction_that_fails_is_not_rung() -> None:
    with transaction.atomic():
        doorbell.ring(doorbell.PLAY)
        transaction.set_rollback(True)
    assert doorbell._queued(doorbell.PLAY) == 0


@pytest.mark.usefixtures("real_broker")
def test_a_queue_is_topped_up_and_not_flooded() -> None:
    doorbell.top_up(doorbell.PLAY, 3)
    doorbell.top_up(doorbell.PLAY, 3)
    assert doorbell._queued(doorbell.PLAY) == 3
    for _ in range(3):
        doorbell.top_up(doorbell.PLAY, 1_000)
    assert doorbell._queued(doorbell.PLAY) == doorbell.MOST


@pytest.mark.usefixtures("no_broker")
def test_nobody_fails_or_waits_long_when_the_broker_is_away() -> None:
    before = time.monotonic()
    with transaction.atomic():
        doorbell.ring(doorbell.CHECK)
        doorbell.top_up(doorbell.PLAY, 5)
    assert time.monotonic() - before < 5


def test_a_worker_outlives_a_broker_that_ends_while_it_answers_a_bell(real_broker: Popen[bytes]) -> None:
    doorbell.ring(doorbell.PLAY)
    connection = app.connection_for_read()
    heard: list[Any] = []
    for queue, channel in (("matches", connection.default_channel), ("checks", connection.channel())):
        consumer = connection.Consumer(channel=channel, callbacks=[lambda _, bell: heard.append(bell)])
        consumer.add_queue(Queue(queue))  # type: ignore[no-untyped-call]
        consumer.consume()
    connection.drain_events(timeout=5)
    assert len(heard) == 1
    with suppress(TimeoutError):
        connection.drain_events(timeout=0.1)
    real_broker.kill()
    real_broker.wait()
    connection.collect()  # as Celery's worker does
    connection.close()
    heard[0].ack()


def test_each_task_has_its_queue_and_is_registered() -> None:
    app.loader.import_default_modules()
    for task in (doorbell.CHECK, doorbell.PLAY):
        assert task in app.tasks
        assert app.conf.task_routes[task]["queue"] in ("checks", "matches")
    for entry in django_settings.CELERY_BEAT_SCHEDULE.values():
        assert entry["task"] in app.tasks


@pytest.mark.usefixtures("no_broker")
def test_an_upload_without_a_broker_is_rung_for_as_soon_as_there_is_one(
    upload: Callable[..., Version], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = upload("Queen")
    assert version.status == "checking"
    folder = tmp_path_factory.mktemp("b")
    with monkeypatch.context() as back, broker.running(folder / "b.sock", folder / "data"):
        for name in ("broker_url", "broker_write_url"):
            back.setitem(app.conf, name, f"redis+socket://{folder}/b.sock")
        assert doorbell._queued(doorbell.CHECK) == 0
        assert bots.sweep() == 1
        assert doorbell._queued(doorbell.CHECK) == 1
