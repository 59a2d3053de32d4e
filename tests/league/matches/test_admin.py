from __future__ import annotations

from collections.abc import Callable

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from league.accounts.models import User
from league.bots.models import Version
from league.matches.models import Match


@pytest.fixture
def organiser(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.mark.parametrize("model", ["accounts.user", "bots.bot", "bots.version", "matches.match", "matches.worker",
                                   "standings.table", "tournaments.tournament"])  # fmt: skip
def test_each_list_and_page_opens(organiser: Client, queued: Match, model: str) -> None:
    name = model.replace(".", "_")
    assert organiser.get(reverse(f"admin:{name}_changelist")).status_code == 200
    if (row := apps.get_model(model).objects.first()) is not None:
        assert organiser.get(reverse(f"admin:{name}_change", args=[row.pk])).status_code == 200


def test_failed_matches_are_queued_again(organiser: Client, queued: Match) -> None:
    Match.objects.update(status="failed")
    chosen = {"action": "queue_again", "_selected_action": [queued.pk]}
    organiser.post(reverse("admin:matches_match_changelist"), chosen)
    assert Match.objects.get().status == "queued"


def test_what_the_services_keep_in_order_can_not_be_changed_there(
    organiser: Client, activate: Callable[..., Version]
) -> None:
    version = activate("Pawn")
    address = reverse("admin:bots_version_change", args=[version.pk])
    assert organiser.post(address, {"status": "rejected"}).status_code == 403
    assert organiser.post(reverse("admin:bots_version_delete", args=[version.pk])).status_code == 403


def test_who_is_no_staff_does_not_get_in(client: Client, author: User) -> None:
    client.force_login(author)
    assert client.get(reverse("admin:matches_match_changelist")).status_code == 302
