"""The workers that take matches, as the status page shows them."""

import logging

from django.conf import settings

import sandbox
from league import texts
from league.matches import holder
from league.matches.models import Worker

log = logging.getLogger(__name__)


def sign_in() -> None:
    """Say how this worker confines bots, in its log and on the status page; or that it can't, and takes no matches."""
    try:
        launcher = sandbox.open_launcher(settings.SANDBOX)
    except (sandbox.NoSandbox, ValueError) as error:
        log.critical("this worker runs no bots: %s", error)
        said, able = str(error), False
    else:
        said, able = launcher.describe(), True
        log.info("bots run in %s", said)
        launcher.close()
    Worker.objects.update_or_create(name=holder.name(), defaults={"sandbox": texts.line(said, 300), "able": able})


def sign_out() -> None:
    """This worker ends."""
    Worker.objects.filter(name=holder.name()).delete()


def sweep() -> None:
    """Strike out the workers of this host that ended without a word."""
    gone = [worker.pk for worker in Worker.objects.all() if holder.is_gone(worker.name)]
    Worker.objects.filter(pk__in=gone).delete()
