from django.contrib import admin
from django.http import HttpRequest

from league.bots.models import Bot, Report, Version


class ServicesOnly:
    """Rows that are looked at here, and changed by services alone."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class ReportInline(ServicesOnly, admin.StackedInline):  # type: ignore[type-arg]
    model = Report
    exclude = ("record", "record_format", "record_codec")


@admin.register(Bot)
class BotAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "owner", "created_at", "retired_at", "deleted_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")


@admin.register(Version)
class VersionAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("__str__", "status", "size", "created_at", "checked_at", "attempt")
    list_filter = ("status",)
    list_select_related = ("bot",)
    search_fields = ("bot__name", "bot__owner__username", "sha256")
    inlines = (ReportInline,)
    show_full_result_count = False
