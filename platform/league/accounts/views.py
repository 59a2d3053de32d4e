from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league import throttle
from league.accounts import tokens
from league.accounts.forms import ChangePasswordForm, LogInForm, SignUpForm, TokenForm
from league.accounts.models import User
from league.actions import action

DIGITS = 18


class LogIn(LoginView):
    template_name = "accounts/login.html"
    authentication_form = LogInForm
    redirect_authenticated_user = True

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        return throttle.answer(super().form_invalid(form), form)


@never_cache
def admin_log_in(request: HttpRequest) -> HttpResponse:
    """Where the administration sends whoever may not see it: to the site's log-in, which counts attempts."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
    if not request.user.is_staff:
        raise PermissionDenied(_("Only staff may see the administration."))
    return redirect("admin:index")


def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account and sign it in, where the site takes new ones; then on to the first bot."""
    if settings.SIGN_UP == "closed":
        return render(request, "accounts/closed.html", status=200 if request.method in ("GET", "HEAD") else 403)
    form = SignUpForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid() and (user := form.sign_up()):
        login(request, user)
        return redirect("bots:submit")
    return throttle.answer(render(request, "accounts/signup.html", {"form": form}), form)


@never_cache
@login_required
def change_password(request: HttpRequest) -> HttpResponse:
    """Give oneself another password, which ends all of one's sessions but this one."""
    user = cast(User, request.user)
    form = ChangePasswordForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid() and form.change():
        update_session_auth_hash(request, user)
        messages.success(request, _("Your password is changed. Wherever else you were logged in, you are no more."))
        return redirect("pages:mine")
    page = render(request, "accounts/password.html", {"form": form}, status=400 if form.errors else 200)
    return throttle.answer(page, form)


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
