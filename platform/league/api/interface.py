"""The API as a whole: its operations, and how it answers where something is wrong."""

from django.views.decorators.cache import never_cache
from ninja import NinjaAPI

from league.api import bots, matches, problems, queue, tournaments

ABOUT = """Reading what is public needs no token; what is one's own needs `Authorization: Bearer TOKEN`.

Lists come in pages: ask again with `cursor` set to the `next` of an answer, until it is null. Every problem has the
same shape. Who asks too often is answered 429, with the seconds to wait in `Retry-After`.
"""

interface = NinjaAPI(title="Candidate Arena", version="1", description=ABOUT, openapi_url=None, docs_url=None)
interface.add_decorator(never_cache, mode="view")
for router in (bots.me_router, bots.router, tournaments.router, matches.router, queue.router):
    interface.add_router("", router)
problems.handle(interface)
