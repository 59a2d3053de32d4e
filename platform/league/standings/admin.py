from django.contrib import admin

from league.bots.admin import ServicesOnly
from league.standings.models import Standing, Table


@admin.register(Table)
class TableAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("tournament", "computed_at", "revision", "error")
    list_select_related = ("tournament",)


@admin.register(Standing)
class StandingAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("tournament", "rank", "version", "match_points", "played", "possible")
    list_select_related = ("tournament", "version__bot")
    ordering = ("tournament", "rank", "pk")
    search_fields = ("version__bot__name",)
