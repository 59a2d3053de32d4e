from django.contrib.auth.views import LogoutView
from django.urls import path

from league.accounts import views

app_name = "accounts"
urlpatterns = [
    path("signup/", views.sign_up, name="signup"),
    path("login/", views.LogIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("password/", views.change_password, name="password"),
    path("tokens/", views.token_list, name="tokens"),
    path("tokens/revoke/", views.revoke, name="revoke"),
]
