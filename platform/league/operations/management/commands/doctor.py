import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.operations import doctor
from league.operations.doctor.findings import State


class Command(BaseCommand):
    help = "Look at all that the site needs to run, and say what to do; exit code 1 if something is bad."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the findings as JSON")

    def handle(self, *_: Any, **options: Any) -> None:
        findings = doctor.examine()
        if options["json"]:
            self.stdout.write(json.dumps([finding._asdict() for finding in findings], indent=2, ensure_ascii=False))
        else:
            for finding in findings:
                self.stdout.write(f"{finding.state:4} {finding.subject}: {finding.found}")
                if finding.advice:
                    self.stdout.write(f"     {finding.advice}")
        if any(finding.state == State.BAD for finding in findings):
            sys.exit(1)
