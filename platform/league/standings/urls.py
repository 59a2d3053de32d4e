from django.urls import path

from league.standings import views

app_name = "standings"
urlpatterns = [
    path("", views.leaderboard, name="leaderboard"),
    path("<slug:slug>/", views.leaderboard, name="table"),
    path("<slug:slug>/compare/", views.compare, name="compare"),
    path("<slug:slug>/dump", views.dump, name="dump"),
]
