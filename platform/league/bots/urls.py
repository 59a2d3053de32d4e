from django.urls import path

from league.bots import views

app_name = "bots"
urlpatterns = [
    path("submit/", views.submit, name="submit"),
    path("versions/<int:pk>/", views.version, name="version"),
    path("versions/<int:pk>/source/", views.source, name="source"),
]
