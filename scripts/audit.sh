#!/usr/bin/env bash
# Compares the locked packages with the known holes that PyPI lists, by pip-audit in an environment of its own. Exit code
# 1 where one has a hole, or where it can't be known. Arguments go to pip-audit.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "audit: $*" >&2; exit 1; }

lists_holes() { # whether the index answers with the holes of one version, as pip-audit asks for them
    python3 - "$1" "$2" <<'END'
import json, sys, urllib.request

with urllib.request.urlopen(f"https://pypi.org/pypi/{sys.argv[1]}/{sys.argv[2]}/json", timeout=20) as answer:
    sys.exit("vulnerabilities" not in json.load(answer))
END
}

django=$(sed -n 's/^django==\([0-9.]*\).*/\1/p' requirements.lock)
lists_holes django "$django" 2>/dev/null ||
    fail "nothing was audited: https://pypi.org/pypi/django/$django/json can't be reached, or lists no holes." \
        "Run it where PyPI itself answers; a mirror has the packages alone."

audit=build/audit/bin/pip-audit
[ -x $audit ] || { python3 -m venv build/audit && build/audit/bin/python -m pip install --quiet pip-audit; }
failed=0
for lock in requirements.lock requirements-test.lock; do
    $audit --requirement $lock --require-hashes --disable-pip --strict "$@" || failed=1
done
exit $failed
