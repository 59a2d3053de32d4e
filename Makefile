# The environment is .venv, made by the first command that needs it; data lives in var/ (see docs/operations.md).
.DEFAULT_GOAL := help
.PHONY: help run demo up down smoke test screens hostile bench-sandbox bench-site bench-replay check-rules bench-engine bench-bots bench-ratings bench-league chaos bench-scale bench-load fuzz audit lint style types imports migrations messages lock clean environment environment-test

PYTEST := .venv/bin/python -m pytest
ARGS ?=

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: environment  ## start the platform with the house bots on http://127.0.0.1:8000; Ctrl-C ends it
	@exec .venv/bin/python manage.py stack $(ARGS)

demo: environment  ## play the round robin of the house bots, print the leaderboard, end
	@exec .venv/bin/python manage.py stack --demo $(ARGS)

up:  ## build and start the platform for the public with Compose, and wait until it is well; docs/operations.md
	@docker compose up --detach --build --wait $(ARGS)

down:  ## stop what `make up` started; all data stays
	@docker compose --profile tls down $(ARGS)

smoke: environment  ## go the whole way as a visitor of the site at ARENA_URL, from signing up to a replay, and leave
	@.venv/bin/python scripts/smoke.py $(ARGS)

test: environment-test  ## run all tests; ARENA_REQUIRE_DOCKER=1 makes a missing Docker engine a failure
	@scripts/tests.sh $(ARGS)

screens: environment-test  ## take pictures of every page at three widths, light and dark, into build/screens
	@mkdir -p build/screens
	@ARENA_SCREENS=build/screens $(PYTEST) tests/e2e/test_pages.py -p no:randomly $(ARGS)

hostile: environment-test  ## attack the sandbox in every way we know, in both launchers, a line a case
	@.venv/bin/python -m tests.sandbox.report $(ARGS)

bench-sandbox: environment-test  ## measure what the sandbox costs, in both launchers
	@.venv/bin/python -m benchmarks.sandbox $(ARGS)

bench-site: environment-test  ## measure every page on 1,000 bots and 100,000 matches
	@.venv/bin/python -m benchmarks.site $(ARGS)

bench-replay: environment-test  ## measure how long the longest replay takes to open in a browser
	@.venv/bin/python -m benchmarks.replay $(ARGS)

check-rules: environment-test  ## play 10,000 games by every option and compare 2,000 with a naive implementation
	@.venv/bin/python -m benchmarks.rules $(ARGS)

bench-engine: environment-test  ## measure the engine beside other libraries with card games
	@scripts/environment.sh bench || echo "the peers can't be installed: what was to be measured beside them is short"
	@.venv/bin/python -m benchmarks.engine $(ARGS)

bench-bots: environment-test  ## measure how strong the house bots are, and how quickly the endgame is solved
	@.venv/bin/python -m benchmarks.bots $(ARGS)

bench-ratings: environment-test  ## measure how quick ratings are, and how often their intervals hold
	@OPENBLAS_NUM_THREADS=1 .venv/bin/python -m benchmarks.ratings $(ARGS)

bench-league: environment-test  ## measure how quickly a ladder is played on PostgreSQL, Redis and Docker
	@.venv/bin/python -m benchmarks.league $(ARGS)

chaos: environment-test  ## break everything while 500 matches are played, and count what was lost: nothing
	@.venv/bin/python -m benchmarks.chaos $(ARGS)

bench-scale: environment-test  ## measure how throughput grows with one, two and four machines that play; as root
	@.venv/bin/python -m benchmarks.scale $(ARGS)

bench-load: environment-test  ## measure 50 readers of 500,000 matches while the workers play
	@scripts/environment.sh bench || echo "Locust can't be installed"
	@.venv/bin/python -m benchmarks.load $(ARGS)

fuzz: environment-test  ## send 10,000 odd uploads and requests to the site, which must neither fail nor grow
	@.venv/bin/python -m benchmarks.fuzz $(ARGS)

audit:  ## look for known holes in the locked packages; needs PyPI itself, not a mirror
	@scripts/audit.sh $(ARGS)

lint: style types imports migrations  ## check style, types, the layers and the migrations

style: environment-test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: environment-test
	.venv/bin/mypy arena sandbox platform/league

imports: environment-test
	.venv/bin/lint-imports

migrations: environment-test
	.venv/bin/python manage.py makemigrations --check --dry-run

messages: environment-test  ## bring the catalogues of translations up to date; needs Debian's gettext
	cd platform/league && ../../.venv/bin/python ../../manage.py makemessages --all --no-wrap --add-location file
	cd platform/league && ../../.venv/bin/python ../../manage.py compilemessages

lock:  ## resolve the packages anew into requirements*.lock
	@scripts/lock.sh $(ARGS)

clean:  ## remove the environment, caches and build products; var/ stays
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -path ./var -prune -o -name __pycache__ -prune -exec rm -rf {} +

environment:
	@scripts/environment.sh run

environment-test:
	@scripts/environment.sh test
