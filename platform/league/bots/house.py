"""The bots that the project ships: they belong to a user of their own and come in through the front door."""

from hashlib import sha256

from django.conf import settings
from django.db import transaction

from arena import bots as house
from league.accounts.models import User
from league.bots import services
from league.bots.models import Version

UNCHANGED = (Version.Status.CHECKING, Version.Status.ACTIVE)


def owner() -> User:
    """The user that owns the house bots; nobody can sign in as it."""
    user, is_new = User.objects.get_or_create(username=settings.HOUSE_USER, defaults={"bots_allowed": 1_000})
    if is_new:
        user.set_unusable_password()
        User.objects.filter(pk=user.pk).update(password=user.password)
    return user


def upload() -> list[Version]:
    """Submit each house bot whose source is not the one that plays already; the new versions."""
    user = owner()
    return [version for name in house.HOUSE if (version := _upload(user, name))]


@transaction.atomic
def _upload(user: User, name: str) -> Version | None:
    source = house.source(name)
    same = Version.objects.filter(
        bot__owner=user, bot__name=name, sha256=sha256(source).hexdigest(), status__in=UNCHANGED
    )
    return None if same.exists() else services.submit(user, name, f"{name}.py", source)
