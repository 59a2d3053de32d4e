"""Announcements: read by everybody, written by organisers."""

from django.contrib import messages
from django.core.paginator import EmptyPage, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.actions import action, told
from league.organisers import announcing, services
from league.organisers.access import organiser, refuse_others, staff_only
from league.organisers.forms import AnnouncementForm
from league.organisers.models import Announcement
from league.parameters import whole_number

PAGE = 20
MOST_PAGES = 100_000


@require_safe
def published(request: HttpRequest) -> HttpResponse:
    """What organisers announced, the newest first."""
    return _listed(request, announcing.published(), "organisers/published.html")


@require_safe
@staff_only
def announcements(request: HttpRequest) -> HttpResponse:
    """All announcements, also those that are withdrawn or not shown yet."""
    found = Announcement.objects.select_related("tournament").order_by("-published_at", "-pk")
    return _listed(request, found, "organisers/announcements.html")


def _listed(request: HttpRequest, found: QuerySet[Announcement], template: str) -> HttpResponse:
    try:
        page = Paginator(found, PAGE).page(whole_number(request, "page", 1, 1, MOST_PAGES))
    except EmptyPage:
        raise Http404(_("There is no such page of announcements.")) from None
    return render(request, template, {"page": page})


@staff_only
def write(request: HttpRequest) -> HttpResponse:
    """Publish a new announcement."""
    return _written(request, Announcement(published_at=timezone.now()))


@staff_only
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change an announcement."""
    return _written(request, get_object_or_404(Announcement, pk=pk))


def _written(request: HttpRequest, announcement: Announcement) -> HttpResponse:
    form = AnnouncementForm(request.POST or None, instance=announcement)
    if request.method == "POST" and form.is_valid() and form.publish(organiser(request)):
        messages.success(request, _("The announcement is stored."))
        return redirect("organisers:announcements")
    context = {"form": form, "announcement": announcement}
    return render(request, "organisers/write.html", context, status=400 if form.errors else 200)


@action("organisers:edit")
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an announcement no more."""
    refuse_others(request)
    with told(request, _("The announcement is withdrawn.")):
        services.withdraw(organiser(request), get_object_or_404(Announcement, pk=pk))
    return redirect("organisers:announcements")
