# Every target makes .venv and installs what it needs the first time (tools/environment), and works
# without the network after that, until pyproject.toml changes.
#
#   make demo     score and compare the sample systems; writes a report, tertium-demo.html
#   make test     everything: lint, format, types, all tests
#   make check    the quick part: lint, format, types, tests that are not slow
#   make oracles  ask other scorers about all files on record (TERTIUM_RECORDINGS=write: record them)
#   make levels   levels, coverage and power of tests at full size, and many more random examples
#   make chaos    signals at random times, damaged caches, full disks; prints what was tried
#   make fuzz     damaged files and odd options through every verb (FUZZ_ARGS="--minutes 10")
#   make bench    Tertium and its peers side by side: time, memory, ratios (BENCH_ARGS="--only bio")
#   make pages    run the commands in README, docs and the notebook, and write what they print
#   make docs     the documentation as HTML in docs/_build/html
#   make clean    remove .venv and everything else that was made here
#
# Tests run side by side, on up to four cores; PYTEST_ARGS="-n 0 -k spans" is passed on to pytest instead.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help pages demo test check oracles levels chaos static fuzz bench docs clean

# Byte code is kept from run to run; without it every process of the tests would compile all modules anew,
# and every worker rewrite the assertions of all tests.
unexport PYTHONDONTWRITEBYTECODE

python := .venv/bin/python
kernels = NUMBA_CACHE_DIR="$$($(python) tools/kernel_cache.py)"
compiled = NUMBA_CACHE_DIR="$$($(python) tools/kernel_cache.py --compile)"
usual = not network and not oracles and not levels
# One more than there are cores, since some tests wait for a browser or a process.
PYTEST_ARGS ?= -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --maxprocesses 4 --dist worksteal
FUZZ_ARGS ?= --minutes 3
BENCH_ARGS ?=

help:
	@sed -n 's/^#   //p' Makefile

.venv/.installed-%: pyproject.toml tools/environment
	@tools/environment $(filter-out base,$*)
	@touch $@

# One by one, so that a peer that cannot be installed is named and the others still run.
bench/.peers/.installed: pyproject.toml bench/peers/install.py | .venv/.installed-base
	@$(python) bench/peers/install.py

demo: .venv/.installed-base
	@$(compiled) .venv/bin/tertium demo

static: .venv/.installed-dev
	$(python) -m ruff check --cache-dir .cache/ruff .
	$(python) -m ruff format --cache-dir .cache/ruff --check .
	$(python) -m mypy

test: static
	$(compiled) $(python) -m pytest -m "$(usual)" $(PYTEST_ARGS)

check: static
	$(compiled) $(python) -m pytest -q -m "$(usual) and not slow and not browser" $(PYTEST_ARGS)

oracles: .venv/.installed-dev
	$(compiled) $(python) -m pytest -m oracles tests/property tests/reference $(PYTEST_ARGS)

levels: .venv/.installed-dev
	$(compiled) $(python) -m pytest -m levels tests/unit/significance $(PYTEST_ARGS)
	$(compiled) $(python) -m pytest -m "$(usual)" --hypothesis-profile=thorough \
		tests/property tests/contract $(PYTEST_ARGS)

chaos: .venv/.installed-dev
	TERTIUM_CHAOS=long $(compiled) $(python) -m pytest -q tests/chaos $(PYTEST_ARGS)

fuzz: .venv/.installed-dev
	@$(compiled) PYTHONPATH=tools $(python) -m fuzz $(FUZZ_ARGS)

bench: .venv/.installed-base bench/.peers/.installed
	@$(kernels) $(python) bench/run.py $(BENCH_ARGS)

pages: .venv/.installed-dev
	$(compiled) $(python) tools/console_blocks.py --write
	$(kernels) $(python) tools/notebook.py --write docs/notebook.ipynb

docs: .venv/.installed-docs
	$(python) -m sphinx -W --keep-going -q -b html -d .cache/doctrees docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean:
	rm -rf .venv .cache bench/.peers bench/data docs/_build dist build .hypothesis
	find src tests bench docs tools -name __pycache__ -type d -prune -exec rm -rf {} +
