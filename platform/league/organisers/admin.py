from django.contrib import admin

from league.bots.admin import ServicesOnly
from league.organisers.models import Act, Announcement, Flag, Rejudging


@admin.register(Act)
class ActAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("at", "actor_name", "action", "about", "reason")
    list_filter = ("action",)
    search_fields = ("=actor_name", "about", "reason")


@admin.register(Announcement)
class AnnouncementAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("title", "published_at", "withdrawn_at")


@admin.register(Rejudging)
class RejudgingAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "tournament", "bot", "status", "created_at", "ended_at")
    list_select_related = ("tournament", "bot")


@admin.register(Flag)
class FlagAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "kind", "tournament", "found_at", "looked_at", "looked_by")
    list_select_related = ("tournament",)
