"""What programs of the operators ask for."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.operations import exposition
from league.operations import metrics as measured


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The metrics, for whoever has the token of the settings; without one there is no such page."""
    if not settings.METRICS_TOKEN:
        raise Http404
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not constant_time_compare(token.strip(), settings.METRICS_TOKEN):
        words = "metrics need the token of ARENA_METRICS_TOKEN: send Authorization: Bearer TOKEN\n"
        return HttpResponse(words, "text/plain", 401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(exposition.text(measured.metrics()), exposition.CONTENT_TYPE)
