"""The code of a stage is complete, and a change reruns the stages that use it and no others."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from dvc.repo import Repo
from dvc.repo.graph import get_subgraph_of_nodes
from grimp import ImportGraph, build_graph

from docs import hooks
from houjuu.estimators import loading
from houjuu.estimators.loading import load
from pipeline import code, graph, paths
from pipeline.stages import evaluate
from tests.pipeline.repository import ROOT

MODULES = """
import sys
import pipeline.stages.{stage}
if "{model}":
    from houjuu.estimators.loading import load
    load("{model}")
for module in list(sys.modules.values()):
    if getattr(module, "__file__", None):
        print(module.__file__)
"""


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_every_stage_is_a_module_and_depends_on_its_code() -> None:
    for name, stage in graph.stages().items():
        if name != graph.CODE_STAGE:
            assert stage.deps[0] == f"data/code/{name}.txt"
            assert stage.command.startswith(f"python -m pipeline.stages.{stage.module}")
            assert Path(f"pipeline/stages/{stage.module}.py") in code.code_of(name)


@pytest.mark.parametrize(
    "stage",
    [
        *("parse", "wait_rows", "train", "selfplay", "train_melded@melded_han"),
        *("evaluate@kurita-hoki-2017", "report@kurita-hoki-2017", "predict@houjuu"),
    ],
)
def test_what_is_imported_is_listed(stage: str) -> None:
    """The modules that Python loads, but for the packages that it passes on the way.

    A stage of a model loads the model, too.
    """
    module, _, model = stage.partition("@")
    text = MODULES.format(stage=module, model=model if model in paths.MODELS else "")
    command = [sys.executable, "-c", text]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    files = [Path(line) for line in done.stdout.splitlines()]
    loaded = [path.relative_to(ROOT) for path in files if path.is_relative_to(ROOT)]
    used = [path for path in loaded if path.parts[0] in code.PACKAGES]
    listed = set(code.code_of(stage))
    assert Path(f"pipeline/stages/{module}.py") in listed
    for package in {Path(*path.parts[:i], "__init__.py") for path in used for i in (1, 2, 3)}:
        if package.is_file() and package not in listed:
            listed |= code.closure(".".join(package.parent.parts))
    assert set(used) <= listed


def test_a_listing_has_the_hash_of_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = code.code_of("selfplay")
    for path in used:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / path)
    monkeypatch.setattr(code, "ROOT", tmp_path)
    before = dict(line.split() for line in code.listing("selfplay").splitlines())
    assert [*before] == [*map(str, used)]
    changed = Path("houjuu/arena/selfplay.py")
    (tmp_path / changed).write_text(changed.read_text() + "\n")
    after = dict(line.split() for line in code.listing("selfplay").splitlines())
    assert {path for path in before if before[path] != after[path]} == {str(changed)}


def test_the_face_imports_nothing_until_a_name_is_used() -> None:
    """So no module of the project may import from it: its listing would lack what it uses."""
    face = {path.stem for path in code.closure("houjuu")}
    assert face == {"__init__", "errors", "extras", "face"}
    users = {
        user
        for package in hooks.FACES[1:]
        for user in project().find_modules_that_directly_import(package)
    }
    assert users == {loading.__name__}  # it lists the packages of its own


def test_no_stage_imports_the_face() -> None:
    """It imports a module when a name is used, so the listing would lack what the stage uses."""
    for stage in graph.stages().keys() - {graph.CODE_STAGE}:
        assert Path("houjuu/__init__.py") not in code.code_of(stage), stage


def test_parsing_depends_on_neither_features_nor_models() -> None:
    files = code.code_of("parse")
    rooms = {path.parts[:2] for path in files}
    others = {("houjuu", room) for room in ("estimators", "player", "reading", "risk")}
    assert not rooms & others
    assert not {top for top, *_ in rooms} & {"features", "models"}


def test_every_model_has_a_chain_of_its_own() -> None:
    """The report of the paper does not need the network."""
    chain = graph.needed(["report@kurita-hoki-2017"])
    assert chain == [
        *("code", "selfplay", "parse"),
        *("paper_tenpai_rows", "paper_wait_counts", "wait_rows", "train_paper", "export"),
        *(f"{name}@kurita-hoki-2017" for name in ("predict", "evaluate", "report")),
    ]
    main_job = graph.needed(["report"])
    assert {"train_network", "report@houjuu"} < set(main_job)
    others = {"ablation", "last_fit", "yaku_rows", "player_report"}
    assert not others & set(main_job)
    assert graph.needed([]) == list(graph.stages())


@cache
def project() -> ImportGraph:
    """The imports that are written in the modules, without those by name."""
    return build_graph(*code.PACKAGES, exclude_type_checking_imports=True, cache_dir=None)


@cache
def by_name(model: str) -> list[tuple[str, set[str]]]:
    """The modules that import by name for a model, and what each imports."""
    estimator = load(model)
    family = f"houjuu.estimators.{estimator.header['family']}"
    loaded = {family, *project().find_descendants(family)}
    schema = evaluate.SCHEMAS[estimator.tenpai_table]
    return [(loading.__name__, loaded), (evaluate.__name__, {schema})]


def importers(module: str) -> set[str]:
    return {module, *project().find_downstream_modules(module)}


def users(changed: str) -> set[str]:
    """The stages from which imports lead to a module."""
    found = set()
    for name, stage in graph.stages().items():
        item = name.partition("@")[2]
        reached = {f"pipeline.stages.{stage.module}"}
        for model in [item] if item in paths.MODELS else paths.MODELS:
            for importer, imported in by_name(model):
                reached |= imported if reached & importers(importer) else set()
        if reached & importers(changed):
            found.add(name)
    return found - {graph.CODE_STAGE}


@cache
def dag() -> Any:
    """The stages, each with those that it needs, as DVC reads dvc.yaml."""
    return Repo(str(ROOT)).index.graph


def downstream(changed: set[str]) -> set[str]:
    """The stages that may run again if some stages make other outputs, themselves included."""
    sources = [stage for stage in dag() if stage.addressing in changed]
    assert len(sources) == len(changed) > 0
    return {stage.addressing for stage in get_subgraph_of_nodes(dag(), sources, downstream=True)}


@cache
def needs() -> dict[str, set[str]]:
    """The stages that each stage needs by `pipeline.graph`, itself included."""
    return {name: {*graph.needed([name])} for name in graph.stages()}


def needing(changed: set[str]) -> set[str]:
    """As `downstream`, by `pipeline.graph`."""
    return {name for name, needed in needs().items() if changed & needed}


def of(stage: str, *items: str) -> set[str]:
    return {f"{stage}@{item}" for item in items}


ROWS = {"tenpai_rows", "wait_rows", "unseen_rows"}
PAPER_ROWS = {"paper_tenpai_rows", "paper_wait_counts"}
PAPER = {"train_paper", "export", *of("evaluate", "kurita-hoki-2017", "kurita-hoki-2017-printed")}
CLOSED, MELDED = of("train_waits", *paths.CLOSED_FITS), of("train_melded", *paths.MELDED_FITS)
TENPAI = {"train_tenpai", "train_network", "spare_rows"}
HOUJUU = {"train", "adapt", "last_fit", "report@houjuu", "player_report"}
OTHERS = {"ablation"}
WITHOUT_READING = {"selfplay", "parse", "train_yaku", "train_final_ranks"}


@pytest.mark.parametrize(
    ("changed", "again", "kept"),
    [
        ("logs/tenhou6.py", {"parse", *ROWS, *PAPER}, {"selfplay"}),
        (
            "reading/table1.py",
            {*ROWS, *PAPER_ROWS, *PAPER, *CLOSED, *MELDED, *OTHERS, *HOUJUU},
            WITHOUT_READING,
        ),
        (
            "reading/tenpai_features/river.py",
            {"tenpai_rows", *TENPAI, *OTHERS, *HOUJUU},
            {*PAPER_ROWS, *PAPER, *CLOSED, *MELDED, "wait_rows", "unseen_rows"},
        ),
        (
            "features/schema/tenpai.py",
            {"tenpai_rows", *TENPAI, *OTHERS, *HOUJUU},
            {*PAPER_ROWS, *PAPER, *CLOSED, *MELDED, "wait_rows", "unseen_rows"},
        ),
        (
            "reading/wait_features.py",
            {"wait_rows", "unseen_rows", *PAPER, *CLOSED, *MELDED, "train_unseen", *HOUJUU},
            {"tenpai_rows", *PAPER_ROWS, *WITHOUT_READING},
        ),
        (
            "reading/unseen_features.py",
            {"unseen_rows", "train_unseen", *HOUJUU},
            {*PAPER, *CLOSED, *MELDED, *TENPAI, "wait_rows"},
        ),
        (
            "features/schema/waits.py",
            {"wait_rows", *PAPER, *CLOSED, *MELDED, *OTHERS, *HOUJUU},
            {"tenpai_rows", "unseen_rows", *PAPER_ROWS},
        ),
        (
            "models/houjuu/tenpai_gam.py",
            {"train_tenpai", "train_network", "ablation", *HOUJUU},
            {*ROWS, *PAPER, *CLOSED, *MELDED},
        ),
        (
            "models/houjuu/discard_network.py",
            {"train_network", *HOUJUU},
            {"train_tenpai", *CLOSED, *MELDED, *PAPER, *OTHERS},
        ),
        (
            "models/paper/tenpai.py",
            {*PAPER, *MELDED, *OTHERS, *HOUJUU},
            {*ROWS, *PAPER_ROWS, *CLOSED, *TENPAI},
        ),
    ],
)
def test_a_change_of_code_reruns(changed: str, again: set[str], kept: set[str]) -> None:
    """The stages that import the module, and those that DVC runs after them; no others.

    The rows of the paper's model are for its fit; `wait_rows` has some of them. If a feature of
    waits changes, the rows of the paper's fit stay the same, and the fit is not repeated.
    """
    path = Path(changed if Path(changed).exists() else f"houjuu/{changed}")
    module = ".".join(path.with_suffix("").parts)
    names = graph.stages().keys() - {graph.CODE_STAGE}
    listed = {name for name in names if path in code.code_of(name)}
    assert listed == users(module)
    assert needing(listed) == downstream(listed)
    assert again <= downstream(listed)
    assert not kept & downstream(listed)


@pytest.mark.parametrize(
    ("parameter", "fit", "again", "kept"),
    [
        ("paper_tenpai", "train_paper", {*PAPER, *MELDED, *OTHERS, *HOUJUU}, {*CLOSED, *TENPAI}),
        ("train.riichi_han", "train_waits@riichi_han", HOUJUU, {*TENPAI, *PAPER, *MELDED}),
        ("train.unseen_tiles", "train_unseen", HOUJUU, {*TENPAI, *PAPER, *CLOSED, *MELDED}),
        ("train_network", "train_network", HOUJUU, {"train_tenpai", *PAPER, *CLOSED, *MELDED}),
    ],
)
def test_a_parameter_refits_one_part(
    parameter: str, fit: str, again: set[str], kept: set[str]
) -> None:
    names = {parameter, parameter.partition(".")[0]}
    of_parameter = {name for name, stage in graph.stages().items() if names & {*stage.params}}
    assert of_parameter - {"last_fit", "adapt"} == {fit}
    assert needing(of_parameter) == downstream(of_parameter) >= again
    assert not kept & downstream(of_parameter)


def test_a_reader_of_logs_reruns_everything_but_the_games() -> None:
    everything = graph.stages().keys() - {graph.CODE_STAGE, "selfplay"}
    assert downstream(users("houjuu.logs.tenhou6")) == everything
