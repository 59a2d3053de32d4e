"""What the forms of a page do, at addresses of their own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, resolve_url

View = Callable[..., HttpResponse]


def action(page: str) -> Callable[[View], View]:
    """A view for what a form on `page` posts, for those who are logged in; both take the same arguments.

    Whoever comes without the form, as a browser does after a log-in or a change of language, is sent to the page.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def act(request: HttpRequest, **arguments: Any) -> HttpResponse:
            if request.method in ("GET", "HEAD"):
                to_page: HttpResponse = redirect(page, **arguments)
                return to_page
            if request.method != "POST":
                return HttpResponseNotAllowed(["POST"])
            if not request.user.is_authenticated:
                return redirect_to_login(resolve_url(page, **arguments))
            return view(request, **arguments)

        return act

    return decorate


@contextmanager
def told(request: HttpRequest, said: str) -> Iterator[None]:
    """Tells the visitor on the next page what was done inside, or why a service refused it."""
    try:
        yield
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    else:
        messages.success(request, said)
