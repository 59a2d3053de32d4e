from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from league.accounts.models import Token, User


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Bots", {"fields": ["bots_allowed"]}))


@admin.register(Token)
class TokenAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Tokens are made by their users alone; to delete one is to revoke it."""

    list_display = ("name", "user", "scopes", "created_at", "last_used_at", "expires_at")
    list_select_related = ("user",)
    search_fields = ("name", "user__username")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
