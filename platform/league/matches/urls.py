from django.urls import path

from league.matches import log_views, replay_views, views

app_name = "matches"
urlpatterns = [
    path("", views.match_list, name="list"),
    path("<int:pk>/", views.match, name="match"),
    path("<int:pk>/games/<int:number>/", replay_views.game, name="game"),
    path("<int:pk>/times/<str:seat>.csv", log_views.times, name="times"),
    path("<int:pk>/record.json", replay_views.record_json, name="record_json"),
    path("<int:pk>/record.txt", replay_views.record_text, name="record_text"),
]
