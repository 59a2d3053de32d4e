from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from league.bots import house
from league.commands import TablesCommand


class Command(TablesCommand):
    help = "Submit the house bots whose source has changed, as by the form."

    def handle(self, *_: Any, **__: Any) -> None:
        try:
            versions = house.upload()
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from None
        for version in versions:
            self.stdout.write(f"submitted {version}")
        if not versions:
            self.stdout.write("the house bots are up to date")
