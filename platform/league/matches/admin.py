from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from league.bots.admin import ServicesOnly
from league.bots.models import Version
from league.matches import services
from league.matches.models import Attempt, Match, Worker
from league.parameters import DIGITS


class AttemptInline(ServicesOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Attempt


@admin.register(Match)
class MatchAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "version_a", "version_b", "status", "attempt", "outcome", "termination", "finished_at")
    list_filter = ("status", "termination")
    list_select_related = ("version_a__bot", "version_b__bot")
    search_fields = ("id",)
    search_help_text = "the number of a match, or the whole name of a bot"
    ordering = ("-finished_at", "-pk")  # as in an index that has what is filtered by
    inlines = (AttemptInline,)
    actions = ("queue_again",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        """Matches of that number or of the bot of that name; bots are few beside matches, and looked up first."""
        term = search_term.strip()
        if not term:
            return queryset, False
        versions = list(Version.objects.filter(bot__name__iexact=term).order_by().values_list("pk", flat=True))
        wanted = Q(version_a__in=versions) | Q(version_b__in=versions)
        if term.isascii() and term.isdigit() and len(term) <= DIGITS:
            wanted |= Q(pk=int(term))
        return queryset.filter(wanted), False

    @admin.action(description="Queue failed matches again", permissions=["requeue"])
    def queue_again(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        count = sum(services.requeue(match) for match in matches)
        self.message_user(request, f"{count} matches are queued again; others were not failed")

    def has_requeue_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("matches.change_match")


@admin.register(Attempt)
class AttemptAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "match_id", "number", "worker", "started_at", "ended_at")
    search_fields = ("=match__id",)
    search_help_text = "the number of a match"
    readonly_fields = ("match",)


@admin.register(Worker)
class WorkerAdmin(ServicesOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "able", "pause", "faults", "matches", "checks", "sandbox", "started_at", "seen_at")
