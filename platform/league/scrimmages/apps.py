from django.apps import AppConfig


class ScrimmagesConfig(AppConfig):
    name = "league.scrimmages"
