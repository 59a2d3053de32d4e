from django.contrib import admin

from league.bots.admin import ServicesOnly
from league.tournaments.models import Tournament


@admin.register(Tournament)
class TournamentAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "kind", "ruleset", "time_control", "revision")
