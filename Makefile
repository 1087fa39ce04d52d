# The commands of a developer. They need Rust 1.95, Python 3.11 or newer and a C compiler; all else comes from PyPI into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python tests/run.py
BASE ?= HEAD
# The oldest C library that `make wheel` is for: that of RHEL 8.
GLIBC ?= 2.28

.PHONY: help demo test test-all quick bench docs fmt wheel release-check clean
.DEFAULT_GOAL := help

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# pip has -C, which names the profile of a build, since 23.1; Python 3.11's own may be older.
$(VENV)/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "cuox needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=23.1" "maturin>=1.13,<2"
	@touch $@

demo: $(VENV)/ready  ## build cuox into .venv, then run the demo on a GPU or the software GPU
	$(RUN) install
	$(BIN)/python -m cuox demo

test: $(VENV)/ready  ## run what every change must pass, as CI does; the last line has the totals
	$(RUN) check

test-all: $(VENV)/ready  ## run that and the tests that take long
	$(RUN) check-all

quick: $(VENV)/ready  ## run the tests that the changes since the commit BASE (HEAD) concern
	$(RUN) quick $(BASE)

bench: $(VENV)/ready  ## run all benchmarks, beside other packages where they are installed
	$(RUN) bench

docs: $(VENV)/ready  ## build the documentation site into site/: open site/index.html
	$(RUN) docs

fmt: $(VENV)/ready  ## format Rust and Python, and wrap wide comments in Rust
	cargo fmt --all
	$(BIN)/python tools/comment_width.py --wrap
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$($(BIN)/python tests/run.py requirement ruff)"
	$(BIN)/python -m ruff check --quiet --fix-only . && $(BIN)/python -m ruff format .

wheel: $(VENV)/ready  ## build what others install into dist/: manylinux wheels and the sources of cuox and cuox-bind
	$(BIN)/python -m pip wheel --disable-pip-version-check --no-deps -C profile=dist -C glibc=$(GLIBC) --wheel-dir dist . ./bind
	$(BIN)/python build_backend/cuox_sources.py dist
	$(BIN)/python build_backend/cuox_audit.py dist/cuox-*.whl dist/cuox_bind-*.whl

release-check: wheel  ## build these, install them into environments of their own and run programs there
	$(BIN)/python tools/release_check.py

clean:  ## remove everything that was built, and .venv
	cargo clean
	rm -rf $(VENV) .venv-clients .venv-stumpy build dist demo-out site python/cuox/lib python/cuox/*.so bind/python/cuox_bind/*.so
