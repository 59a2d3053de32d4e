# The site and its workers. Where no registry is in reach, any Debian with Python 3.11 or newer and its venv module does:
# docker build --build-arg BASE_IMAGE=my-debian .
ARG BASE_IMAGE=python:3.13-slim-trixie
FROM ${BASE_IMAGE}

# For `manage.py backup`: it has to be of the release of Compose's PostgreSQL, or newer.
RUN command -v pg_dump >/dev/null \
    || { apt-get update -qq \
    && apt-get install -qq --yes --no-install-recommends postgresql-client >/dev/null \
    && rm -rf /var/lib/apt/lists/*; }

# Behind a proxy that has a certificate authority of its own: lay its bundle beside this file as certificates.pem.
WORKDIR /srv/arena
COPY requirements.lock certificates*.pem ./
RUN if [ -e certificates.pem ]; then export PIP_CERT=/srv/arena/certificates.pem; fi \
    && python3 -m venv /opt/arena \
    && /opt/arena/bin/pip install --quiet --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
ENV PATH=/opt/arena/bin:$PATH PYTHONUNBUFFERED=1 DJANGO_SETTINGS_MODULE=league.settings

# Editable, as a checkout is: the settings find templates and static files beside the packages.
COPY . .
RUN pip install --quiet --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation -e . \
    && python -m compileall -q arena sandbox platform \
    && useradd --system --no-create-home --home-dir /nonexistent arena \
    && ARENA_SECRET_KEY=unused-while-building python manage.py collectstatic --verbosity 0 --no-input \
    && chown -R arena: var

USER arena
EXPOSE 8000
CMD ["gunicorn", "league.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4", "--no-control-socket"]
