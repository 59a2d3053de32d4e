from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "league.pages"
