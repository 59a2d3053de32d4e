"""Pages that bring several apps together, and the texts."""

from django.urls import path

from league.pages import feeds, seasons, views, workers, workshop

app_name = "pages"
urlpatterns = [
    path("", views.home, name="home"),
    path("bots/mine/", workshop.mine, name="mine"),
    path("bots/<int:pk>/", views.bot, name="bot"),
    path("bots/<int:pk>/feed.atom", feeds.bot_news, name="bot_feed"),
    path("bots/<int:pk>/manage/", workshop.manage, name="manage"),
    path("bots/<int:pk>/retire/", workshop.retire, name="retire"),
    path("bots/<int:pk>/come-back/", workshop.come_back, name="come_back"),
    path("bots/<int:pk>/delete/", workshop.delete, name="delete"),
    path("bots/versions/<int:pk>/roll-back/", workshop.roll_back, name="roll_back"),
    path("accounts/close/", workshop.close_account, name="close_account"),
    path("authors/<int:pk>/", views.author, name="author"),
    path("seasons/", seasons.seasons, name="seasons"),
    path("seasons/<slug:slug>/", seasons.season, name="season"),
    path("seasons/<slug:slug>/register/", seasons.register, name="register"),
    path("seasons/<slug:slug>/withdraw/", seasons.withdraw, name="withdraw"),
    path("feed.atom", feeds.news, name="feed"),
    path("leaderboard/<slug:slug>/feed.atom", feeds.tournament_news, name="tournament_feed"),
    path("queue/", views.queue, name="queue"),
    path("rules/", views.rules, name="rules"),
    path("guide/", views.guide, name="guide"),
    path("status/", views.status, name="status"),
    path("workers/", workers.workers, name="workers"),
]
