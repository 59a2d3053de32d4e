#!/usr/bin/env bash
# Runs the tests over all cores, and the browser tests after them in processes of their own: Playwright keeps an event
# loop running, which other tests of the same process would trip over. Arguments go to pytest.
set -uo pipefail
cd "$(dirname "$0")/.."

pytest() {
    .venv/bin/python -m pytest "$@"
    local status=$?
    [ $status = 5 ] && return 0 # nothing collected, as with `-k` or a path that names tests of the other kind
    return $status
}

failed=0
waiting=$(($(nproc) / 2)) # so many wait for a clock or an engine
pytest -m "not browser" --numprocesses $(($(nproc) + waiting)) --dist worksteal "$@" || failed=1
pytest -m browser --numprocesses auto --dist worksteal "$@" || failed=1
exit $failed
