"""The installed files. `make lint` checks which way imports point."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet

import houjuu
from houjuu.estimators.loading import IN_REPOSITORY, shipped_models
from houjuu.logs import mjlog
from houjuu.util.languages import LANGUAGES
from tests.kit import wheels

ROOT = Path(__file__).parents[1]
PAGE = (
    "page.html.j2",
    "page.css",
    "tiles.svg",
    "shared.js",
    "board.js",
    "common.js",
    "language.js",
    "tiles.js",
    "table.js",
    "panels.js",
    "wall.js",
    "round.js",
    "overview.js",
    "navigation.js",
    "course.js",
    "site/index.html.j2",
    "site/drills.html.j2",
    "site/drills.js",
    "site/index.js",
    "site/index.css",
    "phoenix.json",
)
FRONT = ("page.html.j2", "serve.css", "static/app.js", "static/unpack.js")
PACKAGES = ("houjuu", "features", "models", "pipeline", "benchmarks", "examples")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel."""
    return wheels.built(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_houjuu_alone(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"houjuu"}
    assert "houjuu/py.typed" in names
    assert "houjuu/fitted/player/yaku.npz" in names
    assert {f"houjuu/review/{name}" for name in PAGE} <= names
    assert {f"houjuu/util/languages/{language}.json" for language in LANGUAGES} <= names
    assert {f"houjuu/serve/{name}" for name in FRONT} <= names
    assert not [name for name in names if name.endswith((".xml", ".mjlog", ".pkl", ".joblib"))]


LOADED_MODELS = """
import sys
sys.path[:0] = [sys.argv[1]]
import houjuu
from houjuu.estimators.loading import IN_REPOSITORY, shipped_models
print(*(houjuu.load(name).model for name in shipped_models()))
for name in IN_REPOSITORY:
    try: houjuu.load(name)
    except houjuu.Error as problem: print(problem)
"""


def test_models_for_comparisons_are_in_the_repository_alone(wheel: Path, tmp_path: Path) -> None:
    """The wheel has the others, and a sentence where to get these."""
    assert set(IN_REPOSITORY) < set(shipped_models())
    for name in IN_REPOSITORY:
        assert houjuu.load(name).model == name
    done = subprocess.run(
        [sys.executable, "-c", LOADED_MODELS, str(wheel)],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    shipped, *refusals = done.stdout.splitlines()
    assert set(shipped.split()) == {*shipped_models()} - {*IN_REPOSITORY}
    assert refusals == [
        f"the model {name!r} is in the repository alone: "
        f"get houjuu/fitted/{name}.npz there, and pass its path"
        for name in IN_REPOSITORY
    ]


def test_every_pin_supports_the_oldest_python() -> None:
    """A pin for 3.11.5 and newer broke `make test` on Debian 12, whose Python is 3.11.2."""
    pins = {line.split("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines()}
    metadata = (each.metadata for each in distributions() if each.name.lower() in pins)
    needs = {of["Name"]: of["Requires-Python"] for of in metadata if "Requires-Python" in of}
    assert len(needs) > 150
    assert [name for name, need in needs.items() if "3.11.0" not in SpecifierSet(need)] == []


HINT = """
import sys
sys.path[:0] = [sys.argv[1]]
sys.modules.update(dict.fromkeys(("lxml", "tqdm"))) # not installed
from houjuu.util.extras import import_extra
sys.prefix = sys.argv[2]
import_extra("arena", "arena.matches")
"""


@pytest.mark.parametrize(
    ("origin", "receipt", "command"),
    [
        (None, "", 'pip install "houjuu[arena]"'),
        ({"url": "file:///a.whl"}, "", 'pip install "houjuu[arena] @ file:///a.whl"'),
        (
            {"url": "https://example.org/houjuu", "vcs_info": {"vcs": "git"}},
            "",
            'pip install "houjuu[arena] @ git+https://example.org/houjuu"',
        ),
        (
            {"url": "file:///a.whl"},
            "uv-receipt.toml",
            'uv tool install --force "houjuu[arena,parquet] @ file:///a.whl"',
        ),
        (
            {"url": "file:///a.whl"},
            "pipx_metadata.json",
            'pipx install --force "houjuu[arena,parquet] @ file:///a.whl"',
        ),
    ],
)
def test_a_hint_names_where_the_package_came_from(
    wheel: Path, tmp_path: Path, origin: dict[str, object] | None, receipt: str, command: str
) -> None:
    """And it keeps the extras that an installer with an environment for each program would lose."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    (information,) = tmp_path.glob("houjuu-*.dist-info")
    if origin:
        (information / "direct_url.json").write_text(json.dumps(origin))
    if receipt:
        (tmp_path / receipt).touch()
    done = subprocess.run(
        [sys.executable, "-c", HINT, str(tmp_path), str(tmp_path)],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.stderr.splitlines()[-1].endswith(f": {command}"), done.stderr


def test_numpy_is_all_that_is_required() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert [name.split(">")[0] for name in project["dependencies"]] == ["numpy"]


def test_every_file_names_the_same_versions() -> None:
    """The version of the package; and the versions of Python that the tests run on."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == houjuu.__version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = [name.rpartition(" :: ")[2] for name in project["classifiers"] if "Python ::" in name]
    pythons = [name for name in names if "." in name]
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]
    assert pythons == jobs["platforms"]["strategy"]["matrix"]["python"]
    assert project["requires-python"] == f">={pythons[0]}"


def imported_modules(path: Path) -> set[str]:
    """Modules that a file imports anywhere in it."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules.add(node.module)
    return modules


def test_no_private_module_of_another_package_is_imported() -> None:
    paths = [path for folder in PACKAGES for path in sorted((ROOT / folder).rglob("*.py"))]
    modules = {module for path in paths for module in imported_modules(path)}
    assert {"riichienv", "houjuu.game.tiles"} <= modules
    assert not [
        module
        for module in modules
        if any(part.startswith("_") and not part.startswith("__") for part in module.split("."))
    ]


def test_nothing_of_the_logs_is_tracked() -> None:
    """But a game that the project's own players played, and the files of the fuzz tests."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True)
    names = tracked.stdout.decode().splitlines()
    logs = [name for name in names if name.endswith((".xml", ".mjlog", ".gz", ".xz", ".zip"))]
    assert [name for name in logs if not name.startswith("tests/fuzz/corpus/")] == [
        "docs/game.mjlog"
    ]
    (game,) = mjlog.read(ROOT / "docs" / "game.mjlog")
    assert {player.name for player in game.players} <= {"estimator", "relative"}


def test_the_first_version_of_the_changelog_is_this_one() -> None:
    """Its section is the notes of the release: a user reads it whole."""
    _, first, *_ = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert first.startswith(houjuu.__version__)
    assert len(first.split()) <= 600
