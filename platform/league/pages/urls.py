"""Pages that bring several apps together, and the texts."""

from django.urls import path

from league.pages import views

app_name = "pages"
urlpatterns = [
    path("", views.home, name="home"),
    path("bots/mine/", views.mine, name="mine"),
    path("bots/<int:pk>/", views.bot, name="bot"),
    path("rules/", views.rules, name="rules"),
    path("guide/", views.guide, name="guide"),
    path("status/", views.status, name="status"),
]
