from importlib import import_module

from django.conf import settings

from league.celery import task


@task
def forget_sessions() -> None:
    """Remove the sessions that have expired."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
