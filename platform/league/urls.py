from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from league.accounts.views import admin_log_in

urlpatterns = [
    path("", include("league.pages.urls")),
    path("accounts/", include("league.accounts.urls")),
    path("bots/", include("league.bots.urls")),
    path("matches/", include("league.matches.urls")),
    path("leaderboard/", include("league.standings.urls")),
    path("", include("league.organisers.urls")),
    path("scrimmages/", include("league.scrimmages.urls")),
    # Without a token in its form, which is on every page, visitors share their pages. A language is no secret.
    path("language/", csrf_exempt(set_language), name="set_language"),
    path("api/v1/", include("league.api.urls")),
    path("", include("league.operations.urls")),
    path("admin/login/", admin_log_in, name="admin_log_in"),
    path("admin/", admin.site.urls),
]
handler400 = "league.pages.views.bad_request"
handler404 = "league.pages.views.not_found"
