from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("league.pages.urls")),
    path("accounts/", include("league.accounts.urls")),
    path("bots/", include("league.bots.urls")),
    path("matches/", include("league.matches.urls")),
    path("leaderboard/", include("league.standings.urls")),
    path("admin/", admin.site.urls),
]
handler400 = "league.pages.views.bad_request"
