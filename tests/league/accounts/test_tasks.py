from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from league.accounts.tasks import forget_sessions


@pytest.mark.django_db
def test_sessions_that_have_expired_are_forgotten_and_others_stay() -> None:
    now = timezone.now()
    for key, days in (("past", -1), ("present", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=now + timedelta(days=days))
    forget_sessions()
    assert [session.session_key for session in Session.objects.all()] == ["present"]
