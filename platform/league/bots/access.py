"""Who may see what of a bot."""

from django.contrib.auth.models import AnonymousUser

from league.accounts.models import User
from league.bots.models import Bot


def sees_private(user: User | AnonymousUser, bot: Bot) -> bool:
    """Whether that user sees the bot's sources, reports and logs: its owner and staff do."""
    return user.is_authenticated and (user.is_staff or bot.owner_id == user.pk)
