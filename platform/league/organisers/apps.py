from django.apps import AppConfig


class OrganisersConfig(AppConfig):
    name = "league.organisers"
