from django.contrib.auth import login
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from league.accounts.forms import SignUpForm


class LogIn(LoginView):
    template_name = "accounts/login.html"
    redirect_authenticated_user = True


def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account and sign it in; then on to the first bot."""
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.save())
        return redirect("bots:submit")
    return render(request, "accounts/signup.html", {"form": form})
