import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import CommandError, CommandParser

from league.commands import TablesCommand
from league.standings import dump, services
from league.tournaments.models import Tournament


class Command(TablesCommand):
    help = "Write a ladder or a season with all its results as one file, which `arena table` checks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="of the tournament, as in its address")
        parser.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")

    def handle(self, *_: Any, slug: str, out: Path | None, **__: Any) -> None:
        tournament = Tournament.objects.ranked().filter(slug=slug).first()
        if tournament is None:
            known = ", ".join(Tournament.objects.ranked().order_by("pk").values_list("slug", flat=True))
            raise CommandError(f"expected a ladder or a season ({known or 'there is none yet'}), got {slug!r}")
        services.refresh(tournament)
        if out is None:
            sys.stdout.buffer.writelines(dump.lines(tournament))
            return
        try:
            with _new(out) as file:
                file.writelines(dump.lines(tournament))
        except OSError as error:
            raise CommandError(f"{out}: {error.strerror or error}") from None


@contextmanager
def _new(path: Path) -> Iterator[BinaryIO]:
    """A file that has that name once it is written whole; until then, and if that fails, the name is as it was."""
    begun = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with begun.open("xb") as file:
            yield file
        begun.replace(path)
    finally:
        begun.unlink(missing_ok=True)
