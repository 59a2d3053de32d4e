import sys
from contextlib import AbstractContextManager, nullcontext
from subprocess import Popen
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.operations import broker, round_robin, stack


class Command(BaseCommand):
    help = "Run the whole site on this machine: broker, workers, beat and web server, until it is interrupted."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--demo",
            action="store_true",
            help="wait until the ladder's round robin is played, print its table and end; "
            "exit code 0 only if every pair of house bots has its match",
        )

    def handle(self, *_: Any, demo: bool, **__: Any) -> None:
        try:
            with stack.alone(settings.HOME):
                stack.demand_free(settings.BIND)
                call_command("migrate", verbosity=0, interactive=False)
                call_command("collectstatic", verbosity=0, interactive=False)
                with self._broker() as server:
                    call_command("upload_house_bots", stdout=self.stdout)
                    code = self._run(demo, server)
        except (stack.CannotStart, broker.NoBroker) as reason:
            raise CommandError(str(reason)) from None
        if demo:
            self._conclude(code)
        sys.exit(code)

    def _broker(self) -> AbstractContextManager[Popen[bytes] | None]:
        """The embedded broker, which is up before the others and ends after them."""
        if settings.REDIS_URL:
            return nullcontext()
        return broker.running(settings.BROKER_SOCKET, settings.HOME / "broker")

    def _run(self, demo: bool, server: Popen[bytes] | None) -> int:
        commands = stack.commands(settings.BASE_DIR / "Procfile", frozenset({"broker"}))
        if demo:
            commands["demo"] = "python manage.py await_ladder"
        else:
            self.stdout.write(f"the site comes up at http://{settings.BIND} - Ctrl-C ends it")
        return stack.run(commands, stack.environment(), server)

    def _conclude(self, code: int) -> None:
        if code:
            raise CommandError(f"the demo did not come to its end (exit code {code})", returncode=code)
        if missing := round_robin.holes():
            raise CommandError("the round robin has holes:\n  " + "\n  ".join(missing))
        call_command("leaderboard")
