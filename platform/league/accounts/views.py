from typing import cast

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.accounts import tokens
from league.accounts.forms import SignUpForm, TokenForm
from league.accounts.models import User
from league.actions import action

DIGITS = 18


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


@never_cache
@login_required
def token_list(request: HttpRequest) -> HttpResponse:
    """A user's tokens. The form makes another, whose text is in this one answer and never again."""
    user = cast(User, request.user)
    form = TokenForm(user, request.POST or None)
    made = form.issue() if request.method == "POST" and form.is_valid() else None
    context = {
        "form": TokenForm(user) if made else form,
        "made": made,
        "tokens": list(user.tokens.order_by("-created_at", "-pk")),
    }
    return render(request, "accounts/tokens.html", context, status=400 if form.errors else 200)


@action("accounts:tokens")
def revoke(request: HttpRequest) -> HttpResponse:
    """Revoke a token of one's own."""
    number = request.POST.get("token", "")
    known = number.isascii() and number.isdigit() and len(number) <= DIGITS
    token = cast(User, request.user).tokens.filter(pk=number).first() if known else None
    if token is not None and tokens.revoke(token):
        messages.success(request, _("The token %(name)s is revoked.") % {"name": token.name})
    else:
        messages.error(request, _("You have no such token: it may have been revoked before."))
    return redirect("accounts:tokens")
