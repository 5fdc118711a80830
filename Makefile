# Both need nothing but Python 3.11 or newer: the environment is made in .venv, and is quick to find
# again. `make train LOGS="path …"` trains on real logs: files, folders, archives, databases.

PYTHON ?= python3
LOGS ?=
BIN := .venv/bin
export DO_NOT_TRACK = 1
export DVC_NO_ANALYTICS = 1
export MLFLOW_DISABLE_TELEMETRY = true

.PHONY: train test lint docs ui ship clean

train: .venv/ready
	$(BIN)/python -m pipeline.link $(LOGS)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/dvc repro

test: .venv/ready
	$(BIN)/pytest -n auto

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The site: open build/site/index.html.
docs: .venv/ready
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

ui: .venv/ready
	$(BIN)/mlflow ui --backend-store-uri sqlite:///mlflow.db

# What `make train LOGS=…` exported becomes the model that ships with the package.
ship: .venv/ready
	$(BIN)/python -m pipeline.ship

clean:
	rm -rf .venv

.venv/ready: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable ".[dev]"
	touch $@
