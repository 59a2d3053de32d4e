"""The API's description, and the answer for addresses that it does not have."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from league.api import documentation
from league.api.problems import Refused, answer


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """The description for programs."""
    return JsonResponse(documentation.schema())


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The description for people."""
    context = {"about": documentation.about(), "groups": documentation.groups(), "shapes": documentation.shapes()}
    return render(request, "api/docs.html", context)


@csrf_exempt
def nowhere(request: HttpRequest) -> HttpResponse:
    """What has no operation has no page either."""
    return answer(Refused("not_found", f"The API has no {request.path}: /api/v1/docs names all that it has."))
