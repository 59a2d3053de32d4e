from django.urls import path, re_path

from league.api import views
from league.api.interface import interface

app_name = "api"
urlpatterns = [
    path("openapi.json", views.openapi, name="openapi"),
    path("docs", views.docs, name="docs"),
    *(pattern for pattern in interface.urls[0] if getattr(pattern, "name", "") != "api-root"),
    re_path("", views.nowhere, name="nowhere"),
]
