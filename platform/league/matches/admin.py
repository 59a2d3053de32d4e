from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from league.bots.admin import ServicesOnly
from league.matches import services
from league.matches.models import Attempt, Match, Worker


class AttemptInline(ServicesOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Attempt


@admin.register(Match)
class MatchAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "version_a", "version_b", "status", "attempt", "outcome", "termination", "finished_at")
    list_filter = ("status", "termination")
    list_select_related = ("version_a__bot", "version_b__bot")
    search_fields = ("=id", "version_a__bot__name", "version_b__bot__name")
    inlines = (AttemptInline,)
    actions = ("queue_again",)
    show_full_result_count = False

    @admin.action(description="Queue failed matches again", permissions=["requeue"])
    def queue_again(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        count = sum(services.requeue(match) for match in matches)
        self.message_user(request, f"{count} matches are queued again; others were not failed")

    def has_requeue_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("matches.change_match")


@admin.register(Worker)
class WorkerAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "able", "sandbox", "started_at")
