# Everything a fresh machine needs is set up in .venv; nothing is installed elsewhere. Setting up again takes no
# time until pyproject.toml or constraints.txt change.

# The first Python on the path that is new enough; say another with: make PYTHON=/path/to/python3 ...
PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
MAKEFLAGS += --no-print-directory

.PHONY: help run test tests lint format bench coverage migrate sync catalogs hooks clean

help:  ## list these targets
	@sed -nE 's/^([a-z]+):[^#]*## (.*)/make \1	\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

run: $(VENV)/.run  ## set everything up and start the bot
	@$(BIN)/python -m bot run

test: $(VENV)/.dev  ## set everything up and run every test, a few minutes
	@$(BIN)/python -m pytest -n auto

# A folder has this name: without the line make would say that there is nothing to be done.
tests: test

lint: $(VENV)/.dev  ## style, formatting, types, layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

format: $(VENV)/.dev  ## put the code into its form
	@$(BIN)/ruff check --fix --exit-zero --quiet .
	@$(BIN)/ruff format .

bench: $(VENV)/.bench  ## measure the engine beside others, a minute or two
	@echo "Measuring the engines in turn: a minute or two; the table comes at the end ..." >&2
	@$(BIN)/python -m benchmarks.engine

coverage: $(VENV)/.dev  ## run every test in one process and tell which lines none reaches
	@$(BIN)/coverage run -m pytest
	@$(BIN)/coverage report

migrate: $(VENV)/.run  ## bring the database up to date; make run does it too
	@$(BIN)/python -m bot migrate

sync: $(VENV)/.run  ## register the slash commands with Discord, if they changed
	@$(BIN)/python -m bot sync

catalogs: $(VENV)/.dev  ## extract the messages of the code into the catalogs
	@$(BIN)/python -m bot.i18n

hooks: $(VENV)/.dev  ## check every commit before it is made
	@$(BIN)/pre-commit install

clean:  ## remove what make and the tools made; databases and .env stay
	@rm -rf $(VENV) build dist .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp for each set of packages. Twice --quiet: a warning of pip must not bury what the bot says.
$(VENV)/.run: EXTRAS := postgres
$(VENV)/.dev: EXTRAS := dev,postgres
$(VENV)/.bench: EXTRAS := bench
$(VENV)/.run $(VENV)/.dev $(VENV)/.bench: $(BIN)/python pyproject.toml constraints.txt
	@echo "Setting up $(VENV) ($(EXTRAS)): a minute or two, once ..." >&2
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-input \
		--constraint constraints.txt --editable ".[$(EXTRAS)]"
	@touch $@

# Removed again when it fails: half a venv must not pass for one.
$(BIN)/python:
	@[ -n "$(PYTHON)" ] || { echo "Python 3.11 or newer is needed and was not found; say where it is with: \
	make PYTHON=/path/to/python3 $(MAKECMDGOALS)" >&2; exit 2; }
	@command -v "$(PYTHON)" >/dev/null || { echo "$(PYTHON) was not found; say where Python 3.11 or newer is with: \
	make PYTHON=/path/to/python3 $(MAKECMDGOALS)" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is older than Python 3.11, which is needed" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) lacks the modules venv and ensurepip; \
	on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 2; }
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); exit 2; }
