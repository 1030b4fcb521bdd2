# The whole ritual: make run, make test, make check. Each sets up what it needs in .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
DEV    := $(VENV)/.ready-dev
# One BLAS thread: on a small or busy machine more threads only wait for each other.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: run test check format lock clean

run: $(STAMP)
	@$(BIN)/souvenance chat

test: $(DEV)
	$(BIN)/python -m pytest

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Rewrites the locked versions and their hashes (needs uv: pip install uv).
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --no-header requirements/build.in -o requirements/build.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --no-header pyproject.toml -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --no-header --group dev pyproject.toml requirements/build.in -o requirements/dev.txt

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Souvenance needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@$(PYTHON) -m venv $(VENV)

$(STAMP): $(VENV)/bin/python requirements/run.txt requirements/build.txt pyproject.toml
	@echo "Setting up $(VENV) (once, a minute or two)…"
	@$(BIN)/pip install -qq --disable-pip-version-check --require-hashes -r requirements/build.txt
	@$(BIN)/pip install -qq --disable-pip-version-check --require-hashes -r requirements/run.txt
	@$(BIN)/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): $(STAMP) requirements/dev.txt
	@$(BIN)/pip install -qq --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
