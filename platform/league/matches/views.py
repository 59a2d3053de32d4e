from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def match_list(request: HttpRequest) -> HttpResponse:
    return render(request, "matches/list.html")


def match(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "matches/match.html")


def game(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    return render(request, "matches/game.html")
