"""Invitations: made, listed and revoked by organisers."""

from urllib.parse import urlencode

from django.conf import settings
from django.core.paginator import EmptyPage, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from league.accounts.models import Invitation
from league.actions import action, told
from league.organisers import inviting
from league.organisers.access import organiser, refuse_others, staff_only
from league.organisers.invitation_forms import InvitationForm
from league.parameters import DIGITS, whole_number

PAGE = 50
MOST_PAGES = 100_000


@staff_only
def invitations(request: HttpRequest) -> HttpResponse:
    """All invitations, the newest first. The form makes another, whose link is in this one answer and never again."""
    form = InvitationForm(request.POST or None)
    code = form.invite(organiser(request)) if request.method == "POST" and form.is_valid() else None
    found = Invitation.objects.select_related("made_by", "used_by").order_by("-pk")
    try:
        page = Paginator(found, PAGE).page(whole_number(request, "page", 1, 1, MOST_PAGES))
    except EmptyPage:
        raise Http404(_("There is no such page of invitations.")) from None
    context = {
        "form": InvitationForm() if code else form,
        "link": _link(request, code) if code else None,
        "page": page,
        "sign_up": settings.SIGN_UP,
    }
    return render(request, "organisers/invitations.html", context, status=400 if form.errors else 200)


@action("organisers:invitations")
def uninvite(request: HttpRequest) -> HttpResponse:
    """Revoke an invitation that nobody has used."""
    refuse_others(request)
    number = request.POST.get("invitation", "")
    known = number.isascii() and number.isdigit() and len(number) <= DIGITS
    invitation = Invitation.objects.filter(pk=number).first() if known else None
    with told(request, _("The invitation is revoked.")):
        inviting.uninvite(organiser(request), invitation or Invitation())
    return redirect("organisers:invitations")


def _link(request: HttpRequest, code: str) -> str:
    return request.build_absolute_uri(f"{reverse('accounts:signup')}?{urlencode({'invitation': code})}")
