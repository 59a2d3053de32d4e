"""Settings of the site and its workers, read from the environment; docs/operations.md lists the variables.

With nothing set everything lives in one folder, `var/`: an SQLite database, the secret key, the embedded broker's
data, the unpacked bots.
"""

import os
import secrets
import sys
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from urllib.parse import quote, urlsplit

import environ
from csp.constants import NONE, SELF
from django.contrib.messages import constants as messages
from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff
from redis.retry import Retry

from league import logs
from sandbox.limits import ARCHIVE_BYTES, MODULE_BYTES


class Environment(environ.Env):  # type: ignore[misc]
    """The environment; a value that can't be read is named, with its variable."""

    def get_value(self, var: str, *arguments: Any, **options: Any) -> Any:
        try:
            return super().get_value(var, *arguments, **options)
        except ValueError as error:
            raise ImproperlyConfigured(f"{var}: {error}") from None

    def bool(self, var: str, default: bool) -> bool:
        """Whether that variable says so; a word that says neither is refused, as it could be either."""
        value = self.str(var, default="").strip().lower()
        if value in ("", "true", "1", "yes", "on"):
            return bool(value) or default
        if value in ("false", "0", "no", "off"):
            return False
        raise ImproperlyConfigured(f"{var}: expected true or false, got {value!r}")

    def one_of(self, var: str, choices: Sequence[str]) -> str:
        """That variable, one of `choices`; the first of them where it is not set."""
        value = self.str(var, default=choices[0])
        if value not in choices:
            raise ImproperlyConfigured(f"{var}: expected one of {', '.join(choices)}, got {value!r}")
        return str(value)


env = Environment()


def secret(name: str) -> str:
    """The value of that variable, else what is in the file that NAME_FILE names; empty where neither is set.

    Raises:
        ImproperlyConfigured: the file can't be read, or is empty.
    """
    value, path = os.environ.get(name, ""), os.environ.get(f"{name}_FILE", "")
    if value or not path:
        return value
    try:
        kept = Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        words = f"{name}_FILE: can't read {path!r}: {error}; let the user of this process read it"
        raise ImproperlyConfigured(words) from None
    if not kept:
        raise ImproperlyConfigured(f"{name}_FILE: {path!r} is empty: write the secret into it, or set {name}")
    return kept


# Ratings are fitted by one thread: beside workers on every core, those of OpenBLAS would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BASE_DIR = Path(__file__).resolve().parents[2]
HOME = Path(env.str("ARENA_HOME", default=str(BASE_DIR / "var"))).resolve()
HOME.mkdir(parents=True, exist_ok=True)


def kept_secret_key(path: Path) -> str:
    """The key in that file, which is made, readable by its owner alone, where there is none."""
    fresh = path.with_suffix(f".{os.getpid()}")
    if not path.exists():
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            os.link(fresh, path)  # the first of several processes wins
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_text()


DEBUG = env.bool("ARENA_DEBUG", default=False)
SECRET_KEY = secret("ARENA_SECRET_KEY") or kept_secret_key(HOME / "secret_key")
ALLOWED_HOSTS = env.list("ARENA_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("ARENA_ORIGINS", default=[])
BIND = env.str("ARENA_BIND", default="127.0.0.1:8000")
HTTPS = env.bool("ARENA_HTTPS", default=False)

INSTALLED_APPS = [
    "league.accounts",
    "league.bots",
    "league.tournaments",
    "league.matches",
    "league.standings",
    "league.scrimmages",
    "league.organisers",
    "league.pages",
    "league.api",
    "league.operations",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
]
MIDDLEWARE = [
    "league.operations.request_ids.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "league.headers.permissions",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "league.operations.timing.TimingMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "league.conditional.revalidated",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "league.languages.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "platform/league/templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
MESSAGE_TAGS = {messages.ERROR: "error"}

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db("DATABASE_URL", default=f"sqlite:///{HOME / 'arena.sqlite3'}")
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Writers queue at BEGIN instead of failing at their first write, and readers never wait.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"] |= {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
    DATABASES["default"]["PASSWORD"] = DATABASES["default"]["PASSWORD"] or secret("POSTGRES_PASSWORD")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 10}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
SESSION_COOKIE_AGE = int(timedelta(days=14).total_seconds())
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "pages:mine"
LOGOUT_REDIRECT_URL = "pages:home"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ru", "Русский")]
LANGUAGE_COOKIE_AGE = int(timedelta(days=365).total_seconds())
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "platform/league/locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = HOME / "static"
STATICFILES_DIRS = [BASE_DIR / "platform/league/static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if HTTPS else 0
# Whether the domain's other hosts are HTTPS alone as well is not for this site to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Uploads stay in memory up to the largest that is accepted, with room for the rest of the form.
UPLOAD_MAX_BYTES = env.int("ARENA_UPLOAD_MAX_BYTES", default=MODULE_BYTES)
ZIP_MAX_BYTES = env.int("ARENA_ZIP_MAX_BYTES", default=ARCHIVE_BYTES)
FILE_UPLOAD_MAX_MEMORY_SIZE = ZIP_MAX_BYTES + 64 * 1024
BOTS_PER_USER = env.int("ARENA_BOTS_PER_USER", default=5)
# Matches on demand that count for no table: so many of one user may wait, so many be asked for within 24 hours.
SCRIMMAGES_WAITING = env.int("ARENA_SCRIMMAGES_WAITING", default=5)
SCRIMMAGES_A_DAY = env.int("ARENA_SCRIMMAGES_A_DAY", default=50)
HOUSE_USER = "house"

# How long a match or a check may go without a finished game before it is taken from its worker. A game takes at most
# both banks of CPU time (1 min by default) and the wall clock is several times that on a busy host.
LEASE = timedelta(seconds=env.int("ARENA_LEASE_S", default=300))
if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    # Whoever stands still in a transaction keeps rows from all others, and loses them as it loses its match.
    given = DATABASES["default"].setdefault("OPTIONS", {})
    waits = f"-c idle_in_transaction_session_timeout={LEASE.total_seconds():.0f}s"
    given["options"] = f"{given.get('options', '')} {waits}".strip()
    # A query that comes again is planned no more: to plan how a match is read with its bots takes 4 ms, to read it 0.3.
    if env.bool("ARENA_PREPARED_QUERIES", default=True):
        given |= {"server_side_binding": True, "prepare_threshold": 5}
MATCH_ATTEMPTS = env.int("ARENA_MATCH_ATTEMPTS", default=5)
# A fault is tried again after this, doubled with each further one, so that an engine may restart in the meantime.
RETRY_AFTER = timedelta(seconds=2)
PLAY_BLOCK = timedelta(seconds=2)
# A worker takes no work after so many of the platform's faults in a row, or while less disk is free.
PAUSE_AFTER_FAULTS = env.int("ARENA_PAUSE_AFTER_FAULTS", default=5)
LEAST_FREE_MIB = env.int("ARENA_LEAST_FREE_MIB", default=200)
WARM_BOXES = env.int("ARENA_WARM_BOXES", default=16)
SANDBOX = env.str("ARENA_SANDBOX", default="auto")
BUNDLES = HOME / "bundles"


def broker_socket(home: Path) -> Path:
    """Where the embedded broker listens: in that folder, or where its path is too long for a socket (107 bytes),
    in a folder of our own among the temporary ones.
    """
    inside = home / "broker.sock"
    if len(os.fsencode(inside)) <= 100:
        return inside
    return Path(gettempdir()) / f"arena-{os.getuid()}-{sha256(os.fsencode(home)).hexdigest()[:12]}" / "broker.sock"


BROKER_SOCKET = broker_socket(HOME)
REDIS_URL = env.str("REDIS_URL", default="")
if REDIS_URL and not urlsplit(REDIS_URL).password and (password := quote(secret("REDIS_PASSWORD"), safe="")):
    scheme, _, place = REDIS_URL.partition("://")
    user, _, place = place.rpartition("@")
    REDIS_URL = f"{scheme}://{user.rstrip(':')}:{password}@{place}"

CELERY_BROKER_URL = REDIS_URL or f"redis+socket://{BROKER_SOCKET}"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # for ever
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "ack_emulation": False,  # a bell is heard once: where it is lost with its worker, the sweep rings again
    "queue_order_strategy": "priority",  # the queues in the order of the worker's -Q: checks before matches
    "socket_connect_timeout": 2,
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "upkeep"
CELERY_TASK_ROUTES = {
    "league.matches.tasks.check": {"queue": "checks"},
    "league.matches.tasks.play": {"queue": "matches"},
}
CELERY_DB_REUSE_MAX = sys.maxsize  # by itself it opens a new connection for each task; `league.celery` has them checked
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "league.matches.tasks.sweep", "schedule": 10, "options": {"expires": 10}},
    "seasons": {"task": "league.matches.tasks.seasons", "schedule": 5, "options": {"expires": 10}},
    "rejudgings": {"task": "league.organisers.tasks.compare", "schedule": 10, "options": {"expires": 10}},
    "flags": {"task": "league.organisers.tasks.look", "schedule": 3600, "options": {"expires": 3600}},
    "tick": {"task": "league.operations.tasks.tick", "schedule": 10, "options": {"expires": 10}},
    "retention": {"task": "league.operations.tasks.clear", "schedule": 600, "options": {"expires": 600}},
    "sessions": {"task": "league.accounts.tasks.forget_sessions", "schedule": 86_400, "options": {"expires": 3600}},
    "standings": {"task": "league.standings.tasks.refresh", "schedule": 2, "options": {"expires": 10}},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(HOME / "beat")

# What requests and attempts are counted in, and parts of pages are kept in. Where it does not answer, it is known at
# once: nobody is kept out, and pages are made anew.
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL or f"unix://{BROKER_SOCKET}",
        "KEY_PREFIX": "arena-cache",
        "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5, "retry": Retry(NoBackoff(), 0)},
    }
}
# How old pages that change while matches are played may be, in seconds, for those who are not logged in.
PAGES_KEPT_S = env.int("ARENA_PAGES_KEPT_S", default=5)
if not 0 <= PAGES_KEPT_S <= 60:
    raise ImproperlyConfigured(f"ARENA_PAGES_KEPT_S: expected 0 to 60 seconds, got {PAGES_KEPT_S}")
# Requests to the API within a minute: of all tokens of a user together, and of an address without one.
API_USER_PER_MINUTE = env.int("ARENA_API_USER_PER_MINUTE", default=600)
API_ANONYMOUS_PER_MINUTE = env.int("ARENA_API_ANONYMOUS_PER_MINUTE", default=120)
SIGN_UP = env.one_of("ARENA_SIGN_UP", ("open", "invitation", "closed"))
# Wrong passwords within a quarter of an hour: for one name from one address, and for all names from that address.
LOGIN_FAILURES = env.int("ARENA_LOGIN_FAILURES", default=10)
LOGIN_FAILURES_ADDRESS = env.int("ARENA_LOGIN_FAILURES_ADDRESS", default=100)
# Within an hour: new accounts of an address, uploads and trials together of a user and of an address.
SIGN_UPS_PER_HOUR = env.int("ARENA_SIGN_UPS_PER_HOUR", default=60)
UPLOADS_USER_PER_HOUR = env.int("ARENA_UPLOADS_USER_PER_HOUR", default=120)
UPLOADS_ADDRESS_PER_HOUR = env.int("ARENA_UPLOADS_ADDRESS_PER_HOUR", default=1200)
# Proxies between the site and its visitors: as many last entries of X-Forwarded-For are not the visitor's own words.
PROXIES = env.int("ARENA_PROXIES", default=0)

# How long what a bot printed in a match, its traceback and its times are kept; for ever where it is zero.
KEEP_LOGS_DAYS = env.int("ARENA_KEEP_LOGS_DAYS", default=0)
if not 0 <= KEEP_LOGS_DAYS <= 36_500:
    raise ImproperlyConfigured(f"ARENA_KEEP_LOGS_DAYS: expected 0 to 36500 days, got {KEEP_LOGS_DAYS}")
KEEP_LOGS = timedelta(days=KEEP_LOGS_DAYS)

# Who may read the metrics; nobody where it is empty. In a container only the temporary folder may be written to.
METRICS_TOKEN = env.str("ARENA_METRICS_TOKEN", default="")
PAGE_TIMES = (HOME if os.access(HOME, os.W_OK) else Path(gettempdir())) / "page_times"

LOG_FORMAT = env.str("ARENA_LOG_FORMAT", default="line")
if LOG_FORMAT not in logs.FORMATS:
    raise ImproperlyConfigured(f"ARENA_LOG_FORMAT: expected {' or '.join(logs.FORMATS)}, got {LOG_FORMAT!r}")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"belonging": {"()": "league.logs.Belonging"}},
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}{belonging}", "style": "{"},
        "json": {"()": "league.logs.JsonLine"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["belonging"]}},
    "root": {"handlers": ["stderr"], "level": env.str("ARENA_LOG_LEVEL", default="INFO")},
    "loggers": {
        "django.server": {"handlers": ["stderr"], "propagate": False},
        "gunicorn.error": {"handlers": ["stderr"], "propagate": False},
        "celery": {"level": "WARNING"},
        "kombu": {"level": "WARNING"},
    },
}
