from django.contrib import admin

from league.bots.admin import ServicesOnly
from league.standings.models import Table


@admin.register(Table)
class TableAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("tournament", "computed_at", "revision", "error")
    list_select_related = ("tournament",)
