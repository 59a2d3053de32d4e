from django.urls import path

from league.bots import views

app_name = "bots"
urlpatterns = [
    path("submit/", views.submit, name="submit"),
    path("trials/", views.ask, name="ask"),
    path("trials/<int:pk>/", views.trial, name="trial"),
    path("versions/<int:pk>/", views.version, name="version"),
    path("versions/<int:pk>/changes/", views.version_changes, name="changes"),
    path("versions/<int:pk>/source/", views.source, name="source"),
]
