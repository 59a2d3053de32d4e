from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from league.accounts.models import User


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Bots", {"fields": ["bots_allowed"]}))
