# Every target does its own set-up. Needed: make, and a Python 3.11 or newer with venv.
PYTHON ?= python3
VENV ?= .venv

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play test soak lint format bench catalogue pages lock clean
.PHONY: strength strength-ladder strength-oracle strength-worlds strength-time strength-bids strength-parts

bin := $(VENV)/bin
code := $(wildcard src tests bench examples tools)
# A test that hangs is named and ended, rather than waited for.
limit := -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true
pip_install := $(bin)/python -m pip install --quiet --disable-pip-version-check

help:
	@echo "make play       play in this terminal"
	@echo "make test       the tests (make soak: the long ones)"
	@echo "make lint       style, types, layers, catalogue (make format: put the style right)"
	@echo "make bench      the benchmarks"
	@echo "make strength   measure the bots again, hours; a section alone: strength-ladder -oracle -worlds -time -bids -parts"
	@echo "make catalogue  renew src/bigpepper/locale/bigpepper.pot from the sources"
	@echo "make pages      renew the generated pages of docs/"
	@echo "make lock       renew requirements/*.txt after a change in pyproject.toml (LOCK=--upgrade: newest versions)"
	@echo "make clean      remove whatever make made"

play: $(VENV)/run
	@$(bin)/bigpepper

test: $(VENV)/dev
	$(bin)/python -m pytest -n 2 $(limit) -m "not soak" tests --ignore=tests/server --ignore=tests/web

soak: $(VENV)/dev
	$(bin)/python -m pytest -m soak --hypothesis-profile=soak tests --ignore=tests/server --ignore=tests/web

lint: $(VENV)/dev $(VENV)/server
	$(bin)/ruff check $(code)
	$(bin)/ruff format --check $(code)
	$(bin)/mypy $(code)
	$(bin)/lint-imports --no-cache
	$(bin)/python tools/catalogue.py --check

format: $(VENV)/dev
	$(bin)/ruff check --fix $(code)
	$(bin)/ruff format $(code)

bench: $(VENV)/bench
	$(bin)/python -m bench

# Every section takes an hour at most, can be stopped, and goes on where it was. The newest results are committed.
sections := ladder oracle worlds time bids parts

strength: $(addprefix strength-,$(sections))

$(addprefix strength-,$(sections)): strength-%: $(VENV)/dev
	$(bin)/python -m tools.strength $*

catalogue: $(VENV)/dev
	$(bin)/python tools/catalogue.py

pages: $(VENV)/dev
	$(bin)/python -m bigpepper.explain --write docs/rules
	$(bin)/python -m bigpepper.notation.schema docs/schema
	$(bin)/python tools/observations.py
	$(bin)/python tools/exploitability.py
	$(bin)/python -m tools.strength --page

# One virtual environment in layers: run, and dev or bench or both on top of it. Each stamp is renewed when its lock
# file or the package's own metadata changed. A venv knows its own path, so a copied or moved one is made anew.
metadata := pyproject.toml src/bigpepper/_version.py

ifneq ($(wildcard $(VENV)/made-at),)
ifneq ($(shell cat '$(VENV)/made-at'),$(abspath $(VENV)))
$(shell rm -rf '$(VENV)')
endif
endif

$(VENV)/made-at:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Big Pepper needs Python 3.11 or newer. '$(PYTHON)' answers: $$($(PYTHON) --version 2>&1)"; \
	  echo "Name another one: make PYTHON=python3.13 $(MAKECMDGOALS)"; exit 1; } >&2
	@test ! -e $(VENV) -o -e $(VENV)/pyvenv.cfg || { echo "$(VENV) is there already and no environment." >&2; exit 1; }
	@echo "Setting up $(VENV): once, about half a minute."
	@$(PYTHON) -m venv --clear $(VENV)
	@echo '$(abspath $(VENV))' > $@

$(VENV)/run: requirements/run.txt $(metadata) | $(VENV)/made-at
	@$(pip_install) --require-hashes -r requirements/run.txt
	@$(pip_install) --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/dev $(VENV)/bench $(VENV)/server: $(VENV)/%: requirements/%.txt $(VENV)/run
	@echo "Setting up $@."
	@$(pip_install) --require-hashes -r $<
	@touch $@

# Lock files: every version with its hashes, for every platform, and no address of a registry. dev and bench contain
# run, and may lie in one environment together.
compile := $(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-annotate --no-header $(LOCK)
layer := $(compile) pyproject.toml --group build

lock: $(VENV)-lock/lock
	$(layer) -o requirements/run.txt
	$(layer) --extra test --extra lint --extra plot --extra envs --extra examples -c requirements/run.txt -o requirements/dev.txt
	$(layer) --extra test --extra server --extra test-server -c requirements/run.txt -c requirements/dev.txt -o requirements/server.txt
	$(layer) --extra bench -c requirements/run.txt -c requirements/dev.txt -o requirements/bench.txt
	$(compile) --group lock -o requirements/lock.txt

$(VENV)-lock/lock: requirements/lock.txt
	$(PYTHON) -m venv --clear $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

clean:
	rm -rf .venv .venv-lock .strength build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	find $(code) -name __pycache__ -type d -prune -exec rm -rf {} +
