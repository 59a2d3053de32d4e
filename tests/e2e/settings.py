"""The site's settings for a scene that is thrown away: static files as they lie in the source, not compressed first."""

from league.settings import *  # noqa: F403
from league.settings import STORAGES

WHITENOISE_USE_FINDERS = True
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
