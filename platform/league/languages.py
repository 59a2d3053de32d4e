"""The language of a page: the one that was chosen, kept in a cookie, else one that the browser asks for."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers


class LanguageMiddleware(LocaleMiddleware):
    """Lets caches keep one page for each choice. What isn't a page, such as a record, is in no language."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.get("Content-Type", "").startswith("text/html"):
            return response
        patch_vary_headers(response, ["Cookie"])
        return super().process_response(request, response)
