"""A copy of the whole database in one file, made while the site runs, and put back while it does not."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection
from django.utils import timezone

from league.matches import holder
from league.matches.models import Worker
from league.operations import services, stack
from league.operations.backup import archive, postgresql, sqlite
from league.operations.backup.archive import Header
from league.operations.backup.failure import Refused
from league.operations.models import Upkeep

CLOCK_STOPPED = timedelta(seconds=30)
WAYS = {"sqlite": sqlite, "postgresql": postgresql}


def back_up(path: Path) -> Header:
    """Write all tables, as they are at one moment, to that new file.

    Raises:
        Refused: there is such a file, or the copy can't be made.
    """
    if path.exists():
        raise Refused(f"{path} is there already: choose another name")
    made_at = timezone.now()
    with _folder_beside(path) as folder:
        WAYS[connection.vendor].copy_to(folder / "database")
        return archive.write(path, connection.vendor, made_at, folder / "database")


def restore(path: Path, *, force: bool = False) -> Header:
    """Put the tables of that backup in the place of all that there are; the workers that it knows are forgotten.

    Raises:
        Refused: the file is no whole backup of such a database, or somebody works; nothing is changed.
    """
    header = archive.header(path)
    if header.kind != connection.vendor:
        raise Refused(
            f"expected a backup of {connection.vendor}, got one of {header.kind}: set DATABASE_URL to such a one"
        )
    with _alone(), _folder_beside(settings.HOME / "database") as folder:
        if not force:
            _demand_rest()
        archive.extract(path, folder / "database")
        connection.close()
        WAYS[connection.vendor].copy_from(folder / "database")
    if _has_workers():
        Worker.objects.all().delete()
    return header


@contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    """A folder on the disk that is to hold the file of that name, for a while."""
    try:
        with TemporaryDirectory(prefix=".backup-", dir=path.parent) as folder:
            yield Path(folder)
    except OSError as error:
        raise Refused(f"can't write in {path.parent}: {error}; make room, or choose another folder") from None


@contextmanager
def _alone() -> Iterator[None]:
    """Keeps `manage.py stack` from starting meanwhile."""
    try:
        with stack.alone(settings.HOME):
            yield
    except stack.CannotStart as error:
        raise Refused(str(error)) from None


def _demand_rest() -> None:
    """Make sure that no worker and no clock run.

    Raises:
        Refused: one does, or may do.
    """
    if not _has_workers():
        return
    if running := [name for name in Worker.objects.values_list("name", flat=True) if not holder.is_gone(name)]:
        raise Refused(
            f"workers run: {', '.join(running)}; stop them first, or, if those of other machines have ended "
            "without a word, say --force"
        )
    since = services.since_tick() if Upkeep._meta.db_table in _tables() else None
    if since is not None and since < CLOCK_STOPPED:
        seconds = max(0, round(since.total_seconds()))
        raise Refused(
            f"the clock was heard {seconds} s ago: stop beat, and come again when it was silent for "
            f"{CLOCK_STOPPED.seconds} s"
        )


def _has_workers() -> bool:
    """Whether this database knows of workers; a new one holds nothing yet."""
    return Worker._meta.db_table in _tables()


def _tables() -> list[str]:
    return connection.introspection.table_names()
