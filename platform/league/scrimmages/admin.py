from django.contrib import admin

from league.bots.admin import ServicesOnly
from league.scrimmages.models import Scrimmage


@admin.register(Scrimmage)
class ScrimmageAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("match", "requested_by", "at")
    list_select_related = ("match", "requested_by")
