"""The code of a stage is complete, and a change reruns the stages that use it and no others."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from pipeline import code, graph, paths
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
    (tmp_path / "pipeline" / "stages").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    stage = Path("pipeline/stages/toy.py")
    stage.write_text("1\n")
    before = code.listing("toy")
    stage.write_text("2\n")
    assert before.split()[0] == str(stage)
    assert code.listing("toy") != before


def test_imports_for_type_checkers_are_left_out() -> None:
    """The face declares its names for them: it imports what is used, when it is used."""
    face = {str(path) for path in code.closure("houjuu")}
    assert face == {"houjuu/__init__.py", "houjuu/util/extras.py", "houjuu/util/errors.py"}


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
    """The report of the paper needs neither the network nor the trees."""
    chain = graph.needed(["report@kurita-hoki-2017"])
    assert chain == [
        *("code", "selfplay", "parse"),
        *("paper_tenpai_rows", "paper_wait_counts", "wait_rows", "train_paper", "export"),
        *(f"{name}@kurita-hoki-2017" for name in ("predict", "evaluate", "report")),
    ]
    main_job = graph.needed(["report"])
    assert {"train_network", "report@houjuu"} < set(main_job)
    others = {"gbdt_baseline", "ablation", "last_fit", "yaku_rows", "player_report"}
    assert not others & set(main_job)
    assert graph.needed([]) == list(graph.stages())


@cache
def needs() -> dict[str, set[str]]:
    """The stages that each stage needs, itself included."""
    return {name: {*graph.needed([name])} for name in graph.stages()}


def downstream(changed: set[str]) -> set[str]:
    """The stages that may run again if some stages make other outputs."""
    return {name for name, needed in needs().items() if changed & needed}


def starts_again(*changed: str) -> set[str]:
    """The stages that a change of files of code makes run, before their outputs are compared."""
    used = {
        name
        for name in graph.stages()
        if name != graph.CODE_STAGE and {*map(Path, changed)} & set(code.code_of(name))
    }
    return downstream(used)


def of(stage: str, *items: str) -> set[str]:
    return {f"{stage}@{item}" for item in items}


def answers(*models: str) -> set[str]:
    return {name for stage in ("predict", "evaluate", "report") for name in of(stage, *models)}


CLOSED = of("train_waits", *paths.CLOSED_FITS)
MELDED = of("train_melded", *paths.MELDED_FITS)
OTHERS = {"gbdt_baseline", "ablation"}
ROWS = {"tenpai_rows", "wait_rows", "spare_rows", "unseen_rows"}
PAPER_ROWS = {"paper_tenpai_rows", "paper_wait_counts"}
PAPER_FIT = {"train_paper", "export"}
PAPER = answers("kurita-hoki-2017", "kurita-hoki-2017-printed")
JOINED = {
    *("train", "train_network", "adapt", "choose", "last_fit", "compare_models"),
    *answers("houjuu"),
    *("round_end_rows", "train_round_ends", "action_rows", "train_preferences", "player_report"),
}
"""What follows any part of the default model, the player that queries it included."""


@pytest.mark.parametrize(
    ("changed", "stages"),
    [
        (
            "houjuu/reading/tenpai_features/pace.py",
            {"tenpai_rows", "spare_rows", "train_tenpai"} | OTHERS | JOINED,
        ),
        (
            "features/schema/tenpai.py",
            {"tenpai_rows", "spare_rows", "train_tenpai"} | OTHERS | JOINED,
        ),
        (
            "houjuu/reading/wait_features.py",
            ROWS - {"tenpai_rows"}
            | {*PAPER_FIT, *PAPER, *CLOSED, *MELDED, "train_unseen", *OTHERS, *JOINED},
        ),
        ("houjuu/reading/unseen_features.py", {"unseen_rows", "train_unseen"} | JOINED),
        (
            "features/schema/waits.py",
            {"wait_rows", "spare_rows", *PAPER_FIT, *PAPER, *CLOSED, *MELDED} | OTHERS | JOINED,
        ),
        ("models/houjuu/tenpai_gam.py", {"train_tenpai", "ablation"} | JOINED),
        ("models/houjuu/discard_network.py", JOINED - {"train"}),
        ("models/paper/tenpai.py", {*PAPER_FIT, *PAPER, *MELDED} | OTHERS | JOINED),
        (
            "houjuu/reading/table1.py",
            graph.stages().keys()
            - {"code", "selfplay", "parse", "yaku_rows", "train_yaku"}
            - {"final_rank_rows", "train_final_ranks"},
        ),
    ],
)
def test_a_change_of_code_reruns(changed: str, stages: set[str]) -> None:
    """The rows of the paper's model are for its fit; `wait_rows` has some of them.

    If a feature of waits changes, the rows of the paper's fit stay the same, and the fit is not
    repeated.
    """
    assert starts_again(changed) == stages


@pytest.mark.parametrize(
    ("parameter", "fit", "stages"),
    [
        ("paper_tenpai", "train_paper", {*PAPER_FIT, *PAPER, *MELDED} | OTHERS | JOINED),
        ("train.riichi_han", "train_waits@riichi_han", {"train_waits@riichi_han"} | JOINED),
        ("train.unseen_tiles", "train_unseen", {"train_unseen"} | JOINED),
    ],
)
def test_a_parameter_refits_one_part(parameter: str, fit: str, stages: set[str]) -> None:
    names = {parameter, parameter.partition(".")[0]}
    users = {name for name, stage in graph.stages().items() if names & {*stage.params}}
    assert users - {"last_fit", "adapt"} == {fit}
    assert downstream(users) == stages


def test_a_reader_of_logs_reruns_everything_but_the_games() -> None:
    everything = graph.stages().keys() - {"code", "selfplay"}
    assert starts_again("houjuu/logs/tenhou6.py") == everything
