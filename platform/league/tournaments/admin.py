from django.contrib import admin

from league.bots.admin import ServicesOnly
from league.tournaments.models import Disqualification, Entry, Tournament


@admin.register(Tournament)
class TournamentAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "kind", "ruleset", "time_control", "revision")


@admin.register(Entry)
class EntryAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "tournament", "version")
    list_select_related = ("tournament", "version__bot")
    search_fields = ("bot__name",)


@admin.register(Disqualification)
class DisqualificationAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "tournament", "bot", "reason", "at", "lifted_at")
    list_select_related = ("tournament", "bot")
    search_fields = ("bot__name",)
