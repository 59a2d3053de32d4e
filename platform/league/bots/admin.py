from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.functional import cached_property

from league.bots.models import Bot, Report, Version
from league.parameters import DIGITS

COUNTED = 10_000


class CappedPaginator(Paginator):  # type: ignore[type-arg]
    """Pages of a list that is counted up to `COUNTED` rows: what lies beyond is found by a search or a filter."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        counted: int = rows.order_by()[:COUNTED].count()
        return counted


class ServicesOnly:
    """Rows that are looked at here, and changed by services alone; however many there are."""

    paginator: Any = CappedPaginator
    show_full_result_count = False

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """None also for a number that is too large for a column, at which databases fail."""
        found: Any = super()  # of the admin's class that stands beside this one
        return None if len(object_id) > DIGITS else found.get_object(request, object_id, from_field)

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
    search_fields = ("bot__name", "bot__owner__username", "=sha256")
    inlines = (ReportInline,)
