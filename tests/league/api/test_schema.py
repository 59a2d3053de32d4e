"""What the API does is what its description says, whatever it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis
from hypothesis.errors import Unsatisfiable
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from league.bots.models import Version
from league.matches.models import Match

bounded = hypothesis(
    max_examples=3,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def described(db: None) -> Iterator[Any]:
    """The API by the description that it serves; its requests stay in the test's own transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize(
    ("who", "mode"),
    [
        ("public", GenerationMode.POSITIVE),
        ("own", GenerationMode.POSITIVE),
        ("own", GenerationMode.NEGATIVE),
    ],
)
def test_every_answer_is_one_of_those_that_are_described(
    described: Any,
    who: str,
    mode: Any,
    request: pytest.FixtureRequest,
    two_played: tuple[Version, Version],
    settings: Any,
) -> None:
    settings.API_USER_PER_MINUTE = settings.API_ANONYMOUS_PER_MINUTE = 1_000_000
    token = request.getfixturevalue(who).token
    headers = {"Accept-Encoding": "identity", **({"Authorization": f"Bearer {token}"} if token else {})}
    found = [each.ok() for each in described.get_all_operations()]
    match = Match.objects.get()
    there = {"bot": two_played[0].bot_id, "version": two_played[0].pk, "match": match.pk, "slug": match.tournament.slug}
    asked, wrong = 0, []
    for operation in found:

        @bounded
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Any) -> None:
            nonlocal asked
            asked += 1
            if asked % 2 and mode.is_positive:  # what is there, as often as what is not
                case.path_parameters = {name: there[name] for name in case.path_parameters}
            # no schema says which bytes are a bot
            excluded = [positive_data_acceptance] if case.operation.method == "post" else []
            case.call_and_validate(headers=headers, excluded_checks=excluded)

        try:
            ask()
        except Unsatisfiable:  # it takes nothing that could be wrong
            assert mode.is_negative
        except FailureGroup as failures:
            wrong.append(f"{operation.label}: {failures.exceptions}")
    assert not wrong, "\n".join(wrong)
    assert asked > 2 * len(found)
