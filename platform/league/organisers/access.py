"""Who organises: staff."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.accounts.models import User

View = Callable[..., HttpResponse]


def staff_only(view: View) -> View:
    """That view for staff, kept by no cache; others are refused, or asked to log in."""

    @wraps(view)
    def guarded(request: HttpRequest, **arguments: Any) -> HttpResponse:
        refuse_others(request)
        return view(request, **arguments)

    decorated: View = never_cache(login_required(guarded))
    return decorated


def refuse_others(request: HttpRequest) -> None:
    """Let nobody but staff go on.

    Raises:
        PermissionDenied: it is somebody else.
    """
    if not organiser(request).is_staff:
        raise PermissionDenied(_("Only organisers may see this."))


def organiser(request: HttpRequest) -> User:
    """Who acts."""
    return cast(User, request.user)
