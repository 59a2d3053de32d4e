#!/usr/bin/env bash
# Starts the PostgreSQL of scripts/base-image.sh as the official image would: at the first start with a database and its
# owner, by the same variables.
set -euo pipefail

data=/var/lib/postgresql/data
password=${POSTGRES_PASSWORD:-}
if [ -z "$password" ] && [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then password=$(cat "$POSTGRES_PASSWORD_FILE"); fi
unset POSTGRES_PASSWORD
as_postgres=(setpriv --reuid=postgres --regid=postgres --init-groups)

if [ ! -s $data/PG_VERSION ]; then
    [ -n "$password" ] || { echo "set POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE" >&2; exit 1; }
    chown postgres: $data
    chmod 700 $data
    said=$(mktemp)
    chown postgres: "$said"
    printf '%s\n' "$password" >"$said"
    "${as_postgres[@]}" initdb --pgdata $data --username "$POSTGRES_USER" --pwfile "$said" \
        --encoding UTF8 --locale C.UTF-8 --auth-local trust --auth-host scram-sha-256
    rm "$said"
    echo "host all all all scram-sha-256" >>$data/pg_hba.conf
    echo "CREATE DATABASE $POSTGRES_DB" | "${as_postgres[@]}" postgres --single -D $data postgres
fi
exec "${as_postgres[@]}" postgres -D $data -c 'listen_addresses=*'
