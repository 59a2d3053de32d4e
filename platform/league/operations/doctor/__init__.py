"""Looks at all that a site needs to run, for `manage.py doctor`, and says what to do about what is wrong."""

from league.operations.doctor import configuration, database, life, machine
from league.operations.doctor.findings import Finding, State


def examine() -> list[Finding]:
    """A finding a subject. What is read from the tables is left out where they can't be read."""
    found = [*configuration.examine(), *machine.examine(), *database.examine()]
    if not any(each.subject in database.SUBJECTS and each.state == State.BAD for each in found):
        found += life.examine()
    return found
