from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/home.html")


def mine(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/mine.html")


def bot(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "pages/bot.html")


def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/rules.html")


def guide(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/guide.html")


def status(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/status.html")
