# Everything is installed into .venv, at the versions of constraints.txt. Needed beforehand: Python 3.11 or newer,
# make and a C compiler. Another Python: `make demo PYTHON=python3.12`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
RUN := $(VENV)/.runs
DEV := $(VENV)/.develops
DEMO := results/azincourt_deployments

.DEFAULT_GOAL := help
.PHONY: help demo findings test proof bench clean

help:  ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 10

demo: $(RUN)  ## play 25,000 battles of Azincourt and say which deployments to choose
	rm -rf $(DEMO)
	$(BIN)/wargamesim run experiments/azincourt_deployments.toml --out $(DEMO)
	@echo
	$(BIN)/wargamesim equilibrium $(DEMO) --plot $(DEMO)/heat_map.png
	@echo
	@echo "The matrix as a picture: $(DEMO)/heat_map.png"

# The commands stand in the document, beside what they said. Those that were interrupted go on.
findings: $(RUN)  ## play all experiments again, and print the figures of docs/findings.md
	sed -n 's,^    wargamesim ,$(BIN)/wargamesim ,p' docs/findings.md | sh -ex

test: $(DEV)  ## check style and types, run all tests, the examples in the docs and the notebooks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	WARGAMESIM_NOTEBOOK_BATTLES=40 $(BIN)/pytest -n 2 --doctest-modules wargamesim tests --nbmake notebooks

proof: $(DEV)  ## run the long proofs that `make test` leaves out
	$(BIN)/pytest -n 2 -m proof

bench: $(DEV)  ## measure speeds
	$(BIN)/pytest benchmarks --benchmark-columns=min,median,rounds

clean:  ## remove the environment, caches and builds, but no results
	rm -rf $(VENV) build dist .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# What it takes to run. The builder comes first, because a build without isolation uses the one that is installed.
$(RUN): constraints.txt pyproject.toml
	@echo "Installing into $(VENV), once; this takes a minute or two"
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --upgrade --constraint constraints.txt pip
	$(PIP) install --quiet --constraint constraints.txt hatchling editables
	$(PIP) install --quiet --constraint constraints.txt --no-build-isolation --editable .
	touch $@

# What it takes to develop, besides.
$(DEV): $(RUN)
	$(PIP) install --quiet --constraint constraints.txt --no-build-isolation --group dev --editable '.[notebooks]'
	touch $@
