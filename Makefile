# Everything a developer runs. Needs Rust, Python 3.11 or newer and a C compiler; the rest comes from PyPI into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python tests/run.py

.PHONY: help demo test bench fmt wheel clean
.DEFAULT_GOAL := help

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(VENV)/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "cuox needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "maturin>=1.9,<2"
	@touch $@

demo: $(VENV)/ready  ## build, install, run SAXPY and a heat simulation on whatever GPU there is
	$(RUN) install
	$(BIN)/python -m cuox demo

test: $(VENV)/ready  ## everything that CI checks; the last line has the totals
	$(RUN) check

bench: $(VENV)/ready  ## benchmarks, side by side with their peers
	$(RUN) bench

fmt: $(VENV)/ready  ## format Rust and Python
	cargo fmt --all
	@if $(BIN)/python -m ruff --version >/dev/null 2>&1; then $(BIN)/python -m ruff format python tests examples build_backend; fi

wheel: $(VENV)/ready  ## build the wheel into dist/
	$(BIN)/python -m pip wheel --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir dist .

clean:  ## remove what building leaves behind
	cargo clean
	rm -rf $(VENV) build dist demo-out python/cuox/lib
