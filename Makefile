# The commands of a developer. They need Rust 1.95, Python 3.11 or newer and a C compiler; all else comes from PyPI into .venv.
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

demo: $(VENV)/ready  ## build cuox into .venv, then run the demo on a GPU or the software GPU
	$(RUN) install
	$(BIN)/python -m cuox demo

test: $(VENV)/ready  ## run all checks and tests, as CI does; the last line has the totals
	$(RUN) check

bench: $(VENV)/ready  ## run all benchmarks, beside other packages where they are installed
	$(RUN) bench

fmt: $(VENV)/ready  ## format Rust; format Python if ruff is installed
	cargo fmt --all
	@if $(BIN)/python -m ruff --version >/dev/null 2>&1; then $(BIN)/python -m ruff format python tests examples build_backend; fi

wheel: $(VENV)/ready  ## build the wheel into dist/
	$(BIN)/python -m pip wheel --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir dist .

clean:  ## remove everything that was built, and .venv
	cargo clean
	rm -rf $(VENV) build dist demo-out python/cuox/lib
