"""Whether the settings are fit for those whom they let in."""

from collections.abc import Iterator

from django.conf import settings

from league.operations.doctor.findings import Finding, State

LOCAL = {"localhost", "127.0.0.1", "[::1]"}
KEY_CHARS = 32
OTHERS = 0o077


def examine() -> Iterator[Finding]:
    yield _secret_key()
    yield _hosts()
    yield _visitors()
    yield _debug()


def _secret_key() -> Finding:
    subject, kept = "secret key", settings.HOME / "secret_key"
    if len(settings.SECRET_KEY) < KEY_CHARS:
        found = f"expected at least {KEY_CHARS} characters, got {len(settings.SECRET_KEY)}"
        return Finding(subject, State.BAD, found, "set ARENA_SECRET_KEY to the output of openssl rand -hex 32")
    if not kept.exists() or kept.read_text() != settings.SECRET_KEY:
        return Finding(subject, State.OK, "of ARENA_SECRET_KEY")
    if kept.stat().st_mode & OTHERS:
        return Finding(subject, State.BAD, f"others of this machine may read {kept}", f"chmod 600 {kept}")
    return Finding(subject, State.OK, f"in {kept}")


def _hosts() -> Finding:
    subject, names = "hosts", ", ".join(settings.ALLOWED_HOSTS)
    if any(name == "*" for name in settings.ALLOWED_HOSTS):
        return Finding(subject, State.WARN, "any name is answered", "set ARENA_HOSTS to the names of the site")
    if not _is_public():
        return Finding(subject, State.OK, f"only this machine is served ({names})")
    return Finding(subject, State.OK, names)


def _visitors() -> Finding:
    subject = "visitors"
    if not _is_public():
        return Finding(subject, State.OK, "of this machine alone")
    if not settings.HTTPS:
        advice = "put a proxy with TLS before the site, and set ARENA_HTTPS=true"
        return Finding(subject, State.WARN, "passwords and sessions travel in the open", advice)
    if not settings.PROXIES:
        advice = "set ARENA_PROXIES to the number of proxies before the site"
        return Finding(subject, State.WARN, "all seem to have the address of the proxy", advice)
    return Finding(subject, State.OK, f"by HTTPS, behind {settings.PROXIES} proxies")


def _debug() -> Finding:
    if not settings.DEBUG:
        return Finding("debug pages", State.OK, "off")
    state = State.BAD if _is_public() else State.WARN
    return Finding("debug pages", state, "errors show settings and source to visitors", "set ARENA_DEBUG=false")


def _is_public() -> bool:
    return not set(settings.ALLOWED_HOSTS) <= LOCAL
