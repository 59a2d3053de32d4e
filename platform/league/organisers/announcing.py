"""What is announced now."""

from django.db.models import QuerySet
from django.utils import timezone

from league.organisers.models import Announcement


def published() -> QuerySet[Announcement]:
    """Those that everybody may read, the newest first."""
    shown = Announcement.objects.filter(withdrawn_at=None, published_at__lte=timezone.now())
    return shown.select_related("tournament").order_by("-published_at", "-pk")
