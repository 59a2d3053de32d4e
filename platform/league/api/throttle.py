"""How many requests to the API somebody may make within a minute."""

from django.conf import settings
from django.http import HttpRequest

from league import throttle
from league.api.problems import Refused


def user(pk: int) -> None:
    """Count a request of that user's programs.

    Raises:
        Refused: there were too many; says when to come again.
    """
    _count(f"user {pk}", settings.API_USER_PER_MINUTE)


def address(request: HttpRequest) -> None:
    """Count a request without a token, or with one that is not valid, for the address that it comes from.

    Raises:
        Refused: there were too many; says when to come again.
    """
    _count(throttle.address(request), settings.API_ANONYMOUS_PER_MINUTE)


def _count(who: str, most: int) -> None:
    if wait_s := throttle.count("api", who, most, throttle.MINUTE_S):
        words = f"You made more than {most} requests within a minute: come again in {wait_s} s."
        raise Refused("throttled", words, headers={"Retry-After": str(wait_s)})
