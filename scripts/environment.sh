#!/usr/bin/env bash
# Makes .venv fit a lock file: `environment.sh run` for what the platform needs, `environment.sh test` with the tests'
# tools as well, `environment.sh bench` with what benchmarks need beside. Does nothing where it fits already. PYTHON=... names the interpreter to make it from.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
    run) lock=requirements.lock ;;
    test | bench) lock=requirements-$1.lock ;;
    *) echo "usage: $0 run|test|bench" >&2; exit 2 ;;
esac
fits=.venv/fits # the folder, then the fingerprint of each lock file that is installed

say() { echo "environment: $*" >&2; }
fail() { say "$@"; exit 1; }

# The distribution's comes first: it is optimized with a profile, which others often are not (pyenv's, say), and plays
# matches in three quarters of the time.
find_python() {
    local candidate needed="sys"
    command -v uv >/dev/null || needed="sys, ensurepip, venv"
    for candidate in ${PYTHON:-/usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11}; do
        if "$candidate" -c "import $needed; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "no Python 3.11 or newer with its venv module among ${PYTHON:-python3, python3.11, ..., python3.14}." \
        "Install them (Debian, Ubuntu: apt install python3 python3-venv) or name one: PYTHON=/path/to/python3 make ..."
}

fingerprint() { echo "$1 $(cat "$1" pyproject.toml | cksum | tr ' ' -)"; }

made_here() { [ "$(head -n 1 $fits 2>/dev/null || pwd)" = "$(pwd)" ] && .venv/bin/python -c '' 2>/dev/null; }

make_venv() {
    local python
    python=$(find_python)
    say "making .venv with $("$python" -V)"
    if command -v uv >/dev/null; then
        uv venv --quiet --clear --python "$("$python" -c 'import sys; print(sys.executable)')" .venv
    else
        "$python" -m venv --clear .venv
    fi
}

if command -v uv >/dev/null; then
    install() { uv pip install --quiet --python .venv/bin/python "$@"; }
else
    install() { .venv/bin/python -m pip install -qq --disable-pip-version-check "$@"; }
fi

mkdir -p build
if command -v flock >/dev/null; then # two commands started at once take turns
    exec 9>build/environment.flock
    flock 9
fi
made_here || make_venv
grep -qxF "$(fingerprint $lock)" $fits 2>/dev/null && exit 0

say "installing the packages of $lock"
rm -f $fits
install --require-hashes -r $lock
install --no-deps --no-build-isolation -e .
{
    pwd
    for smaller in requirements.lock requirements-test.lock; do # which name the same versions of what they name
        [ $smaller = $lock ] && break
        fingerprint $smaller
    done
    fingerprint $lock
} >$fits
