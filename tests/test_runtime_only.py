"""Without the extras no command shows a traceback, and the hint names all that is missing.

And the wall: the estimator runs without the other products, play without the pages and the server.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from houjuu.game.events import Game
from houjuu.logs import mjai, mjlog
from houjuu.util.extras import EXTRAS
from tests.test_rooms import products

ROOT = Path(__file__).parents[1]
OPTIONAL = (
    "filelock",
    "lxml",
    "riichienv",
    "mahjong",
    "tqdm",
    "jinja2",
    "joblib",
    "scipy",
    "pandas",
    "sklearn",
)


@pytest.fixture(scope="module")
def folder(own_games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    (folder / "game.xml").write_bytes(mjlog.write(own_games[0]))
    (folder / "game.mjson").write_text(mjai.write(own_games[0]))
    (folder / "empty.json").write_bytes(b"")
    return folder


def run(folder: Path, *arguments: str, missing: tuple[str, ...] = OPTIONAL) -> tuple[int, str]:
    """Exit status and all output of a command in an environment without some packages."""
    script = f"from houjuu.cli import main; sys.exit(main({list(arguments)!r}))"
    done = run_without(missing, script, folder)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def run_without(
    missing: tuple[str, ...], script: str, folder: Path, root: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run a script in a folder, in an environment without some packages; `sys` is imported.

    The package is that of a root: no file of site-packages adds that of another (``-S``).
    """
    blocked = f"import sys; sys.modules.update(dict.fromkeys({missing!r}))\n"
    return subprocess.run(
        [sys.executable, "-S", "-c", blocked + script],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": os.pathsep.join([str(root), *sys.path])},
    )


ARENA = f'pip install -e "{ROOT}[arena]"'
REVIEW = f'pip install -e "{ROOT}[review]"'


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["review", "game.xml"],
            f"houjuu: this needs filelock, lxml, jinja2, joblib and tqdm: {REVIEW}\n",
        ),
        (
            ["arena", "x", "a", "a", "a", "a"],
            f"this needs filelock, lxml, riichienv and tqdm: {ARENA}\n",
        ),
        (
            ["risks", "game.mjson", "-o", "risks.csv"],
            f"houjuu: this needs filelock, lxml, riichienv and tqdm: {ARENA}\n",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_missing_extra_is_one_sentence(folder: Path, arguments: list[str], message: str) -> None:
    status, printed = run(folder, *arguments)
    assert status == 2
    assert printed.endswith(message)
    assert printed.count("\n") == 1


def test_only_what_is_missing_is_named(folder: Path) -> None:
    status, printed = run(folder, "arena", "x", "a", "a", "a", "a", missing=("riichienv",))
    assert (status, printed) == (2, f"houjuu: this needs riichienv: {ARENA}\n")


def test_each_name_of_the_face_names_its_extra(folder: Path) -> None:
    """Those that need one: nobody sees a bare "No module named"."""
    stubs = (ROOT / "houjuu").rglob("__init__.pyi")
    packages = [".".join(stub.parent.relative_to(ROOT).parts) for stub in stubs]
    script = (
        "from importlib import import_module\n"
        f"for face in map(import_module, {packages!r}):\n"
        "    for name in face.__all__:\n"
        "        try: getattr(face, name)\n"
        "        except ImportError as problem: print(name, problem)\n"
    )
    done = run_without(("riichienv", "mahjong", "tqdm"), script, folder)
    assert not done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) >= 8
    assert {"Bot", "scored", "play_match"} <= {line.split()[0] for line in lines}
    for line in lines:
        assert line.endswith(ARENA), line


def test_logs_need_numpy_alone(folder: Path) -> None:
    for log in ("game.xml", "game.mjson"):
        status, printed = run(folder, "danger", log, "--seat", "0")
        assert status == 0
        assert "tenpai" in printed
    status, printed = run(folder, "parse", "empty.json", "game.mjson")
    assert status == 1
    assert "empty.json: is empty" in printed
    assert "1 game with" in printed


def test_a_table_of_risks_needs_no_data_frames(folder: Path) -> None:
    """Only Parquet needs pyarrow."""
    missing = ("pandas", "pyarrow", "scipy", "sklearn", "joblib", "jinja2")
    arguments = ["risks", "game.mjson", "--jobs", "1", "-o"]
    status, _ = run(folder, *arguments, "risks.csv", missing=missing)
    assert status == 0
    assert len((folder / "risks.csv").read_text().splitlines()) > 1000
    status, printed = run(folder, *arguments, "risks.parquet", missing=missing)
    remedy = f'pip install -e "{ROOT}[parquet]"'
    assert (status, printed) == (2, f"houjuu: this needs pyarrow: {remedy}\n")


def test_the_face_can_be_looked_at_without_the_bot(folder: Path) -> None:
    """`help(houjuu)` reads every name that `dir` lists."""
    script = "import houjuu, inspect; print('Bot' in dict(inspect.getmembers(houjuu)))"
    for missing, listed in ((OPTIONAL, "False\n"), ((), "True\n")):
        done = run_without(missing, script, folder)
        assert (done.stdout, done.stderr) == (listed, "")


def test_extras_are_those_of_the_package() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]

    def packages(extra: str) -> set[str]:
        names: set[str] = set()
        for requirement in extras[extra]:
            name = requirement.partition(">")[0]
            inner = name.removeprefix("houjuu[").removesuffix("]") if "[" in name else None
            names |= {name} if inner is None else packages(inner)
        return names

    assert {extra: packages(extra) for extra in EXTRAS} == {
        extra: set(names) for extra, names in EXTRAS.items()
    }


def test_the_models_of_the_player_need_numpy_alone(folder: Path) -> None:
    """They load and predict; only the hands of a view are made with riichienv."""
    script = (
        "import numpy as np\n"
        "from houjuu.player.values import final_ranks\n"
        "from houjuu.player.preference import preferences\n"
        "from houjuu.player.round_end import round_ends\n"
        "from houjuu.player.states import FIELDS, WIDTHS, States\n"
        "shapes = {name: (1, WIDTHS[name]) if name in WIDTHS else (1,) for name in FIELDS}\n"
        "states = States.from_fields({name: np.ones(shape) for name, shape in shapes.items()})\n"
        "endings = round_ends.load().predict_endings(states)\n"
        "preferences.load(), final_ranks.load()\n"
        "assert abs(endings.sum() - 1) < 1e-9"
    )
    done = run_without(OPTIONAL, script, folder)
    assert done.returncode == 0, done.stderr


LOG = str(ROOT / "docs/game.mjlog")
MODULES = """
import pkgutil
from importlib import import_module
import houjuu
for module in pkgutil.walk_packages(houjuu.__path__, "houjuu."):
    try:
        import_module(module.name)
    except ImportError as problem:
        if str(problem.name).startswith("houjuu"):
            raise
        print(module.name)
"""
"""Imports every module, and prints those that lack a package."""

ANSWERS = f"""
import houjuu
from houjuu.cli import main
from houjuu.game.decisions import Follower
(game,) = houjuu.logs.games({LOG!r})
print(game)
estimator = houjuu.load()
for decision in [*Follower(game, [2]).decisions()][::9]:
    risk, unseen = estimator.deal_in(decision.view), estimator.unseen(decision.view)
    print(risk.tenpai.tolist(), risk.by_opponent.tolist(), risk.points.tolist())
    print(risk.explain("5p"), unseen.expected.tolist())
for options in ([], ["--json"]):
    main(["danger", {LOG!r}, "--seat", "2", "--explain", "5p", *options])
main(["parse", {LOG!r}])
"""
PLAY = f"""
import json
import houjuu
from houjuu.logs import mjai
from houjuu.player.players import player
(game,) = houjuu.logs.games({LOG!r})
bot = houjuu.Bot(2)
for message in [*mjai.messages(game)][:120]:
    print(bot.react(json.dumps(message)))
def sources():
    return [name for name in sys.modules if "player.rules" in name or "value.yaku" in name]
assert not sources(), "the default player needs none"
player("relative")
assert sources()
"""
REFUSES = """
import inspect
import houjuu
from houjuu.cli import parser
from houjuu.util.extras import MissingPackageError, import_extra
print(parser().format_help(), "Bot" in dict(inspect.getmembers(houjuu)))
try:
    import_extra("review", "review.rendering")
except MissingPackageError as problem:
    sys.exit(str(problem))
"""


@pytest.mark.parametrize(
    ("n_lost", "missing", "script", "commands"),
    [
        (2, set(OPTIONAL) - {"lxml"}, ANSWERS, "parse convert danger adapt"),
        (1, {"jinja2", "joblib"}, PLAY, "parse convert danger adapt risks report arena bot"),
    ],
    ids=["estimator", "play"],
)
def test_a_product_needs_none_above_it(
    folder: Path, tmp_path: Path, n_lost: int, missing: set[str], script: str, commands: str
) -> None:
    """A copy of the package without them answers as the whole does."""
    shutil.copytree(ROOT / "houjuu", tmp_path / "houjuu")
    for name in [name for product in products()[:n_lost] for name in product]:
        path = tmp_path.joinpath(*name.split("."))
        shutil.rmtree(path) if path.is_dir() else path.with_suffix(".py").unlink()
    done = run_without(tuple(missing), MODULES, folder, tmp_path)
    assert done.returncode == 0, done.stderr
    assert {name.split(".")[1] for name in done.stdout.split()} <= {"scoring"}  # riichienv
    alone, whole = (run_without(tuple(missing), script, folder, root) for root in (tmp_path, ROOT))
    assert (alone.returncode, alone.stderr, alone.stdout) == (0, "", whole.stdout)
    assert len(alone.stdout) > 10_000
    refused = run_without((), MODULES + REFUSES, folder, tmp_path)
    assert re.findall(r"^    (\w+)", refused.stdout, re.MULTILINE) == commands.split()
    assert refused.stdout.startswith("usage: houjuu ")  # with every package all modules import
    assert refused.stdout.endswith(f" {n_lost == 1}\n")
    assert re.fullmatch(r"this needs houjuu\.review: pip install .*\n", refused.stderr)
