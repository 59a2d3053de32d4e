from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def submit(request: HttpRequest) -> HttpResponse:
    return render(request, "bots/submit.html")


def version(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "bots/version.html")
