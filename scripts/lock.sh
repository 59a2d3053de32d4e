#!/usr/bin/env bash
# Resolves pyproject.toml into requirements.lock, requirements-test.lock and requirements-bench.lock, for every supported
# Python, with hashes.
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
# uv keeps to the versions that it finds in its output file, so that all three name the same.
compile --extra build --extra test --extra bench --output-file requirements-bench.lock "$@"
for extra in test ""; do
    lock=requirements${extra:+-$extra}.lock
    cp requirements-bench.lock "$lock"
    compile --extra build ${extra:+--extra "$extra"} --output-file "$lock"
done
