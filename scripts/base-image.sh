#!/usr/bin/env bash
# Makes the images that the stack is built on, from Debian's packages, where no registry is in reach: as root, with
# debootstrap and a Docker engine. `base-image.sh` prints the variables that docker-compose.yml finds them by;
# SUITE and MIRROR name another Debian and where it is fetched from.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=${SUITE:-trixie}
mirror=${MIRROR:-http://deb.debian.org/debian}
programs=(python3 python3-venv postgresql redis-server caddy wget)

fail() { echo "base-image: $*" >&2; exit 1; }

[ $EUID -eq 0 ] || fail "debootstrap needs root; run it with sudo"
command -v debootstrap >/dev/null || fail "no debootstrap; install it (apt install debootstrap)"
docker version >/dev/null 2>&1 || fail "no Docker engine answers; start one, or name it in DOCKER_HOST"

root=$(mktemp -d "${TMPDIR:-/tmp}/arena-base.XXXXXX")
chmod 755 "$root" # it becomes the root of every user in the image
trap 'rm -rf --one-file-system "$root"' EXIT

debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" >&2
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # nothing is to be started while packages are installed
chmod +x "$root/usr/sbin/policy-rc.d"
mkdir -p "$root/etc/postgresql-common/createcluster.d"
echo "create_main_cluster = false" >"$root/etc/postgresql-common/createcluster.d/none.conf"
DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$root" apt-get install -qq --no-install-recommends "${programs[@]}" >&2
rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/archives/*.deb
tar --create --directory "$root" --one-file-system . | docker import - arena-base-python >&2

image() { docker build --quiet --tag "arena-base-$1" --file - deploy/debian >/dev/null; } # image NAME <DOCKERFILE

image postgres <<'END'
FROM arena-base-python
COPY postgres-entrypoint.sh /usr/local/bin/
RUN ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/ \
    && install --directory --owner=postgres --group=postgres --mode=700 /var/lib/postgresql/data /run/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["postgres-entrypoint.sh"]
END

image redis <<'END'
FROM arena-base-python
RUN install --directory /data
WORKDIR /data
END

image caddy <<'END'
FROM arena-base-python
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
END

printf '%s=arena-base-%s\n' BASE_IMAGE python POSTGRES_IMAGE postgres REDIS_IMAGE redis CADDY_IMAGE caddy
