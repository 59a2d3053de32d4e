from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from league.matches.rehearsal import rehearse


class Command(BaseCommand):
    help = "Play one game between two house bots in this machine's sandbox; exit code 1 if it can't be played."
    requires_system_checks = ()

    def handle(self, *_: Any, **__: Any) -> None:
        try:
            said = rehearse(settings.SANDBOX)
        except Exception as fault:
            self.stdout.write(str(fault) or type(fault).__name__)
            raise SystemExit(1) from None
        self.stdout.write(said)
