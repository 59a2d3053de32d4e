import signal
import threading
import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from league.operations import broker

GOODBYE_S = 3.0


class Command(BaseCommand):
    help = "Run the embedded broker until it is interrupted; the workers may say goodbye first."
    requires_system_checks = ()

    def handle(self, *_: Any, **__: Any) -> None:
        stop = threading.Event()
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, lambda *_: stop.set())
        socket = settings.BROKER_SOCKET
        try:
            with broker.running(socket, settings.HOME / "broker") as server:
                self.stdout.write(f"the broker answers on {socket}")
                while not stop.wait(1):
                    if server is not None and server.poll() is not None:
                        raise CommandError(f"the broker ended by itself, exit code {server.returncode}")
                ends = time.monotonic() + GOODBYE_S
                while broker.has_clients(socket) and time.monotonic() < ends:
                    time.sleep(0.1)
        except broker.NoBroker as error:
            raise CommandError(str(error)) from None
