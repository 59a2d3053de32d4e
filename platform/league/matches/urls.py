from django.urls import path

from league.matches import views

app_name = "matches"
urlpatterns = [
    path("", views.match_list, name="list"),
    path("<int:pk>/", views.match, name="match"),
    path("<int:pk>/games/<int:number>/", views.game, name="game"),
]
