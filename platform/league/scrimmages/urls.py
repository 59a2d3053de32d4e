from django.urls import path

from league.scrimmages import views

app_name = "scrimmages"
urlpatterns = [
    path("", views.mine, name="mine"),
    path("against/<int:pk>/", views.against, name="against"),
    path("<int:pk>/cancel/", views.cancel, name="cancel"),
]
