"""The code of a stage is complete, and a change reruns the stages that use it and no others."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from pipeline import code, graph
from tests.pipeline.repository import ROOT

MODULES = """
import sys
import pipeline.stages.{stage}
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
            assert stage.deps[0] == f"data/code/{stage.module}.txt"
            assert stage.command.startswith(f"python -m pipeline.stages.{stage.module}")
            assert Path(f"pipeline/stages/{stage.module}.py") in code.code_of(stage.module)


@pytest.mark.parametrize("stage", ["parse", "wait_rows", "train", "selfplay"])
def test_what_is_imported_is_listed(stage: str) -> None:
    """The modules that Python loads, but for the packages that it passes on the way."""
    command = [sys.executable, "-c", MODULES.format(stage=stage)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    paths = [Path(line) for line in done.stdout.splitlines()]
    loaded = [path.relative_to(ROOT) for path in paths if path.is_relative_to(ROOT)]
    used = [path for path in loaded if path.parts[0] in code.PACKAGES]
    listed = set(code.code_of(stage))
    assert Path(f"pipeline/stages/{stage}.py") in listed
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
    for stage in graph.stages().values():
        assert Path("houjuu/__init__.py") not in code.code_of(stage.module), stage.module


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
    """The modules of the stages that may run again if some stages make other outputs."""
    return {name.partition("@")[0] for name, needed in needs().items() if changed & needed}


def starts_again(*changed: str) -> set[str]:
    """The stages that a change of files of code makes run, before their outputs are compared."""
    used = {
        name
        for name, stage in graph.stages().items()
        if name != graph.CODE_STAGE and {*map(Path, changed)} & set(code.code_of(stage.module))
    }
    return downstream(used)


FITS = {"train", "train_network", "gbdt_baseline", "ablation", "last_fit"}
ANSWERS = {"predict", "evaluate", "report", "compare_models"}
OF_THE_PLAYER = {
    *("round_end_rows", "train_round_ends", "action_rows", "train_preferences", "player_report"),
}
"""Its stages that query the fitted estimator, and what follows."""

ROWS = {"tenpai_rows", "wait_rows", "spare_rows", "unseen_rows"}
PAPER_ROWS = {"paper_tenpai_rows", "paper_wait_counts"}
PAPER_FIT = {"train_paper", "export"}
FOLLOW = FITS | ANSWERS | OF_THE_PLAYER


@pytest.mark.parametrize(
    ("changed", "stages"),
    [
        ("houjuu/reading/tenpai_features/pace.py", {"tenpai_rows", "spare_rows"} | FOLLOW),
        ("features/schema/tenpai.py", {"tenpai_rows", "spare_rows"} | FOLLOW),
        (
            "houjuu/reading/wait_features.py",
            {"wait_rows", "spare_rows", "unseen_rows", *PAPER_FIT} | FOLLOW,
        ),
        (
            "houjuu/reading/unseen_features.py",
            {"unseen_rows"} | FOLLOW - {"gbdt_baseline", "ablation"},
        ),
        ("features/schema/waits.py", {"wait_rows", "spare_rows", *PAPER_FIT} | FOLLOW),
        ("models/houjuu/tenpai_gam.py", FOLLOW - {"gbdt_baseline"}),
        ("models/paper/tenpai.py", PAPER_FIT | FOLLOW),
        (
            "houjuu/reading/table1.py",
            {*PAPER_ROWS, *PAPER_FIT, *ROWS} | FOLLOW,
        ),
    ],
)
def test_a_change_of_code_reruns(changed: str, stages: set[str]) -> None:
    """The rows of the paper's model are for its fit; `wait_rows` has some of them.

    If a feature of waits changes, the rows of the paper's fit stay the same, and the fit is not
    repeated.
    """
    assert starts_again(changed) == stages


def test_a_parameter_reruns_its_stages() -> None:
    users = {name for name, stage in graph.stages().items() if "paper_tenpai" in stage.params}
    assert users == {"train_paper"}
    assert downstream(users) == PAPER_FIT | FOLLOW


def test_a_reader_of_logs_reruns_everything_but_the_games() -> None:
    everything = {stage.module for stage in graph.stages().values()} - {"code", "selfplay"}
    assert starts_again("houjuu/logs/tenhou6.py") == everything
