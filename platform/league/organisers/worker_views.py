"""Where organisers pause workers and let them go on."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from league.actions import told
from league.matches.models import Worker
from league.organisers import services
from league.organisers.access import organiser, staff_only


@staff_only
def pause(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a worker take no more work; whoever comes without the form is led to it."""
    worker = get_object_or_404(Worker, pk=pk)
    if request.method == "POST":
        with told(request, _("The worker takes nothing more; what it plays it plays on.")):
            services.pause_worker(organiser(request), worker)
    return redirect("pages:workers")


@staff_only
def resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a paused worker take work again; whoever comes without the form is led to it."""
    worker = get_object_or_404(Worker, pk=pk)
    if request.method == "POST":
        with told(request, _("The worker takes work again.")):
            services.resume_worker(organiser(request), worker)
    return redirect("pages:workers")
