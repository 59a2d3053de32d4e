#!/usr/bin/env bash
# Resolves pyproject.toml into requirements.lock and requirements-test.lock, for every supported Python, with hashes.
# Arguments go to `uv pip compile`: `lock.sh --upgrade`, `lock.sh --upgrade-package django`.
set -euo pipefail
cd "$(dirname "$0")/.."

uv=$(command -v uv || true)
if [ -z "$uv" ]; then
    [ -x build/uv/bin/uv ] || { python3 -m venv build/uv && build/uv/bin/python -m pip install --quiet uv; }
    uv=build/uv/bin/uv
fi

compile() {
    "$uv" pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --quiet "$@"
}
compile --extra build --extra test --output-file requirements-test.lock "$@"
cp requirements-test.lock requirements.lock # uv keeps to the versions that it finds in its output file
compile --extra build --output-file requirements.lock
